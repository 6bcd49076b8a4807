// Painting the coverage lanes: what follows the selection and the playhead.

function paint(lanes) {
  const { data, frame } = lanes
  const hops = data.hops
  const upto = lanes.playhead === null ? hops.length : lanes.playhead
  const covered = upto > 0 ? hops[upto - 1].covered : 0
  for (const element of frame.querySelectorAll("[data-column]")) {
    const n = Number(element.dataset.column)
    element.classList.toggle("future", hopIndex(hops, n) >= upto)
    element.classList.toggle("selected", lanes.aspect === null && n === lanes.hop)
    element.classList.toggle("arriving", lanes.timer !== null && hopIndex(hops, n) === upto - 1)
  }
  for (const line of frame.querySelectorAll("tr[data-row]")) paintRow(lanes, line, upto)
  if (data.thumbnail) return
  paintRoving(lanes)
  paintControls(lanes, covered)
  if (!data.live) requestAnimationFrame(() => reveal(lanes))
}

// The selected hop may lie out of view after every change of width, whatever changed it: the window, the detail that
// comes to stand beside the lanes, a scrollbar. Told at once when it begins to watch, too.
function watchWidth(lanes) {
  const box = lanes.frame.querySelector(".scroll")
  let width = null
  lanes.widths?.disconnect()
  lanes.widths = new ResizeObserver(() => {
    if (box.clientWidth === width) return
    width = box.clientWidth
    lanes.revealed = null
    reveal(lanes)
  })
  lanes.widths.observe(box)
}

// Scroll sideways to the selected hop, once for each choice and width, so that a reader may scroll away from it.
function reveal(lanes) {
  if (lanes.hop === lanes.revealed) return
  lanes.revealed = lanes.hop
  const head = lanes.frame.querySelector(`th[data-column="${lanes.hop}"]`)
  const box = lanes.frame.querySelector(".scroll")
  if (!head || !box) return
  const names = lanes.frame.querySelector("td.corner").offsetWidth
  const right = head.offsetLeft + head.offsetWidth
  if (lanes.hop === lanes.data.hops.at(-1)?.n) box.scrollLeft = box.scrollWidth
  else if (head.offsetLeft - names < box.scrollLeft) box.scrollLeft = head.offsetLeft - names - 8
  else if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = right - box.clientWidth + 8
}

// Orange says tried and not found: what nobody judged or what did not run is none of that.
function tagClass(fate) {
  return ["not found", "lost again"].includes(fate) ? "tag missed" : "tag"
}

function paintRow(lanes, line, upto) {
  const { data } = lanes
  const aspect = data.aspects[Number(line.dataset.row) - 1]
  const last = data.hops.slice(0, upto).findLast((hop) => hop.cells[aspect.n - 1].score !== null)
  const score = last ? last.cells[aspect.n - 1].score : null
  const shownBy = data.hops[upto - 1]
  const covered = aspect.covered_at !== null && shownBy !== undefined && shownBy.n >= aspect.covered_at
  line.classList.toggle("covered", covered)
  line.classList.toggle("chosen", lanes.aspect === aspect.n)
  setText(line.querySelector(".figure"), score === null ? "–" : score.toFixed(2))
  const fate = upto < data.hops.length ? "open" : aspect.fate
  const tag = line.querySelector(".tag")
  tag.className = tagClass(fate)
  setText(tag, covered || data.status === "running" ? "" : fate)
}

function paintRoving(lanes) {
  const { data, frame } = lanes
  const tabHop = lanes.hop ?? data.hops[0]?.n
  for (const card of frame.querySelectorAll(".card")) {
    const n = Number(card.dataset.hop)
    card.setAttribute("aria-pressed", String(lanes.aspect === null && n === lanes.hop))
    card.tabIndex = n === tabHop ? 0 : -1
  }
  const tabAspect = lanes.aspect ?? 1
  for (const button of frame.querySelectorAll(".aspect")) {
    const n = Number(button.dataset.aspect)
    button.setAttribute("aria-pressed", String(n === lanes.aspect))
    button.tabIndex = n === tabAspect ? 0 : -1
  }
}

function paintControls(lanes, covered) {
  const { data, frame } = lanes
  const all = data.aspects.length
  paintProgress(lanes, covered, all)
  if (data.live) return
  const paused = lanes.playhead === null ? "idle" : "paused"
  const state = lanes.timer ? "playing" : paused
  lanes.play.className = `play ${state}`
  lanes.play.disabled = !data.hops.length
  setText(lanes.play.querySelector(".word"), { playing: "Pause", paused: "Continue", idle: "Replay" }[state])
  for (const button of frame.querySelectorAll(".speed")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.speed) === lanes.speed))
  }
  lanes.axis.hidden = !lanes.timed
  lanes.axisButton?.setAttribute("aria-pressed", String(Boolean(lanes.timed)))
  for (const piece of lanes.axis.querySelectorAll(".axis-hop")) {
    piece.classList.toggle("selected", Number(piece.dataset.hop) === lanes.hop && lanes.aspect === null)
  }
}

function paintProgress(lanes, covered, all) {
  const share = all ? (100 * covered) / all : 0
  // It grows slowly; where a replay begins it is empty at once, which else would show the ending for a while.
  lanes.fill.style.transition = share < Number.parseFloat(lanes.fill.style.width || 0) ? "none" : ""
  lanes.fill.style.width = `${share}%`
  lanes.track.setAttribute("aria-valuenow", String(covered))
  lanes.track.setAttribute("aria-valuemax", String(all))
  lanes.track.setAttribute("aria-valuetext", `${covered} of ${all}`)
  const unknown = lanes.data.live ? "finding the aspects" : "no aspects planned"
  setText(lanes.count, all ? `${covered} / ${all} ${all === 1 ? "aspect" : "aspects"}` : unknown)
}

function hopIndex(hops, n) {
  return hops.findIndex((hop) => hop.n === n)
}
