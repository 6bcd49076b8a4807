// Building the coverage lanes: everything that changes only when the run does.

function build(lanes) {
  const focused = focusedName(lanes)
  const { data, root } = lanes
  const frame = make("div", "lanes")
  frame.style.setProperty("--hops", String(data.hops.length))
  frame.classList.toggle("narrow", data.narrow)
  frame.classList.toggle("dense", data.dense)
  frame.classList.toggle("many", data.hops.length > 24)
  frame.classList.toggle("thumbnail", data.thumbnail)
  frame.classList.toggle("live", Boolean(data.live))
  frame.classList.toggle("tall", !data.thumbnail && !data.live && data.aspects.length > 12)
  lanes.live = lanes.live || liveRegion()
  if (!data.thumbnail) frame.append(controls(lanes))
  if (!data.thumbnail && !data.live) frame.append(axis(lanes))
  frame.append(table(lanes))
  if (!data.thumbnail) frame.append(legend(data))
  root.replaceChildren(frame, lanes.live)
  lanes.frame = frame
  lanes.revealed = null
  if (!data.thumbnail && !data.live) watchWidth(lanes)
  if (focused) root.querySelector(`[data-focus="${focused}"]`)?.focus({ preventScroll: true })
}

function liveRegion() {
  const region = make("div", "sr")
  region.setAttribute("role", "status")
  region.setAttribute("aria-live", "polite")
  return region
}

function focusedName(lanes) {
  return lanes.root.getRootNode().activeElement?.dataset?.focus
}

function controls(lanes) {
  const bar = make("div", "bar")
  if (lanes.data.live) {
    bar.append(progress(lanes))
    return bar
  }
  const play = make("button", "play")
  play.type = "button"
  play.dataset.focus = "play"
  play.setAttribute("aria-keyshortcuts", "Space")
  play.append(make("span", "glyph"), make("span", "word"))
  play.onclick = () => toggleReplay(lanes)
  bar.append(play, speeds(lanes), progress(lanes))
  if (lanes.data.hops.length > 1 && lanes.data.status !== "running") bar.append(axisButton(lanes))
  bar.onkeydown = (event) => onSpace(lanes, event)
  lanes.play = play
  return bar
}

function speeds(lanes) {
  const group = make("div", "speeds")
  group.setAttribute("role", "group")
  group.setAttribute("aria-label", "Replay speed")
  for (const [speed, label] of SPEEDS) {
    const button = make("button", "speed", label)
    button.type = "button"
    button.dataset.speed = speed
    button.dataset.focus = `speed-${speed}`
    button.onclick = () => {
      lanes.speed = speed
      if (lanes.timer) startTimer(lanes)
      paint(lanes)
    }
    group.append(button)
  }
  return group
}

function progress(lanes) {
  const box = make("div", "progress")
  const track = make("div", "track")
  track.setAttribute("role", "progressbar")
  track.setAttribute("aria-label", "Aspects covered")
  track.setAttribute("aria-valuemin", "0")
  lanes.fill = make("div", "fill")
  track.append(lanes.fill)
  lanes.track = track
  lanes.count = make("span", "count")
  box.append(track, lanes.count)
  return box
}

function axisButton(lanes) {
  const button = make("button", "axis-button", "True time")
  button.type = "button"
  button.dataset.focus = "axis"
  button.title = "Show when each hop ran, on a time axis"
  button.onclick = () => {
    lanes.timed = !lanes.timed
    paint(lanes)
  }
  lanes.axisButton = button
  return button
}

function axis(lanes) {
  const { hops, seconds: total } = lanes.data
  const box = make("div", "axis")
  const line = make("div", "axis-line")
  const whole = Math.max(total, 1e-6)
  for (const hop of hops) {
    const piece = make("button", "axis-hop", String(hop.n))
    piece.type = "button"
    piece.tabIndex = -1
    piece.title = `Hop ${hop.n}: from ${seconds(hop.start)}, took ${seconds(hop.seconds)}`
    piece.setAttribute("aria-label", piece.title)
    piece.style.left = `${(100 * hop.start) / whole}%`
    piece.style.width = `${(100 * hop.seconds) / whole}%`
    piece.dataset.hop = hop.n
    piece.onclick = () => pickHop(lanes, hop.n)
    line.append(piece)
  }
  const ticks = make("div", "ticks")
  for (const share of [0, 0.25, 0.5, 0.75, 1]) ticks.append(make("span", "", share ? seconds(whole * share) : "0"))
  box.append(line, ticks)
  lanes.axis = box
  return box
}

function table(lanes) {
  const { data } = lanes
  const scroll = make("div", "scroll")
  const grid = make("table")
  grid.append(make("caption", "sr", "Coverage of each aspect after each hop"), columns(data))
  const head = make("thead")
  const first = make("tr")
  first.append(make("td", "corner"))
  const slowest = Math.max(...data.hops.map((hop) => hop.seconds), 1e-6)
  for (const hop of data.hops) first.append(hopHead(lanes, hop, slowest))
  pad(first, data)
  first.append(scoreHead(data))
  head.append(first)
  const body = make("tbody")
  for (const aspect of data.aspects) body.append(row(lanes, aspect))
  grid.append(head, body)
  scroll.append(grid)
  if (data.hops.length > 8) scroll.tabIndex = -1
  return scroll
}

function columns(data) {
  const group = make("colgroup")
  group.append(make("col", "name-col"))
  for (let i = 0; i < data.hops.length + data.pad; i++) group.append(make("col"))
  group.append(make("col", "score-col"))
  return group
}

// Empty columns, so that runs of different length beside each other have one scale.
function pad(line, data) {
  for (let i = 0; i < data.pad; i++) line.append(make("td"))
}

function scoreHead(data) {
  const head = make("th", "score-head", data.thumbnail ? "" : "Coverage")
  head.scope = "col"
  if (data.thumbnail) head.append(make("span", "sr", "Coverage"))
  return head
}

function hopHead(lanes, hop, slowest) {
  const { data } = lanes
  const head = make("th", "hop-head")
  head.scope = "col"
  head.dataset.column = hop.n
  if (data.thumbnail) {
    head.textContent = String(hop.n)
    return head
  }
  const card = make("button", `card ${hop.state}`)
  card.type = "button"
  card.dataset.hop = hop.n
  card.dataset.focus = `hop-${hop.n}`
  card.title = hop.sure === null ? hop.query : `${hop.query}\n${hop.sure}% sure that all the evidence is here (own estimate, not calibrated)`
  card.setAttribute("aria-label", hopLabel(hop))
  card.append(cardTop(data, hop))
  if (!data.narrow) card.append(make("div", "query", hop.query || "no query"))
  card.append(stageBar(hop, slowest), gain(data, hop))
  card.onclick = () => pickHop(lanes, hop.n)
  card.onkeydown = (event) => onHopKey(lanes, event)
  head.append(card)
  return head
}

function cardTop(data, hop) {
  const top = make("div", "top")
  top.append(make("b", "", data.narrow ? String(hop.n) : `Hop ${hop.n}`))
  const queries = hop.more_queries && !data.narrow ? `${hop.more_queries + 1} queries` : ""
  top.append(make("span", "", [took(hop), queries].filter(Boolean).join(" · ")))
  return top
}

// Of a hop that goes on only what its last event tells is known, which stands still while a model reads.
function took(hop) {
  return hop.state === "running" ? "" : seconds(hop.seconds)
}

function stageBar(hop, slowest) {
  const bar = make("div", "stages")
  bar.style.width = `${Math.max(6, (100 * hop.seconds) / slowest)}%`
  for (const [name, length] of hop.stages) {
    const piece = make("i", stageClass(name))
    piece.style.flexGrow = String(Math.max(1000 * length, 0.001))
    piece.title = `${name} ${seconds(length)}`
    bar.append(piece)
  }
  return bar
}

function stageClass(name) {
  return `stage-${name.replaceAll(/[^a-z]+/g, "-")}`
}

function gain(data, hop) {
  return make("div", hop.gain ? "gain" : "gain none", gainText(data, hop))
}

function gainText(data, hop) {
  if (hop.waits) return "starting…"
  if (GAIN[hop.state]) return data.narrow ? NARROW_GAIN[hop.state] : unended(hop)
  if (data.narrow && hop.gain !== null) return hop.gain ? `+${hop.gain}` : "0"
  if (!hop.gain) return gainWords(hop)
  return `+${hop.gain} aspect${hop.gain > 1 ? "s" : ""}`
}

function unended(hop) {
  return (hop.state === "running" && THEN[hop.stages.at(-1)?.[0]]) || GAIN[hop.state]
}

// A question in another language than English is searched, and nobody judges what that covers.
function gainWords(hop) {
  if (GAIN[hop.state]) return unended(hop)
  if (hop.gain === null) return "not judged"
  return hop.gain ? `${hop.gain} newly covered` : "no new aspect"
}

function hopLabel(hop) {
  if (hop.waits) return `Hop ${hop.n}, ${hop.query}`
  const gained = gainWords(hop)
  const sure = hop.sure === null ? "" : `${hop.sure}% sure that all the evidence is here, `
  return `Hop ${hop.n}, ${gained}, ${sure}${seconds(hop.seconds)}, query: ${hop.query || "none"}`
}

function row(lanes, aspect) {
  const { data } = lanes
  const line = make("tr")
  line.dataset.row = aspect.n
  line.append(rowHead(lanes, aspect))
  data.hops.forEach((hop) => line.append(laneCell(lanes, hop, hop.cells[aspect.n - 1], aspect)))
  pad(line, data)
  const score = make("td", "score")
  score.append(make("span", "figure"), make("span", "tag"))
  line.append(score)
  return line
}

function rowHead(lanes, aspect) {
  const head = make("th", "row-head")
  head.scope = "row"
  if (lanes.data.thumbnail) {
    const [name, end] = partedName(aspect.name)
    const line = make("span", "in-line")
    line.append(make("span", "name", name))
    if (end) line.append(make("span", "name end", end))
    head.append(line)
    head.title = aspect.name
    return head
  }
  const button = make("button", "aspect")
  button.type = "button"
  button.dataset.aspect = aspect.n
  button.dataset.focus = `aspect-${aspect.n}`
  button.title = `${aspect.name} (${aspect.core ? "core" : "optional"})`
  const mark = make("span", aspect.core ? "core" : "core optional")
  mark.setAttribute("aria-hidden", "true")
  button.append(mark, make("span", "name", aspect.name), make("span", "sr", aspect.core ? ", core" : ", optional"))
  button.onclick = () => pickAspect(lanes, aspect.n)
  button.onkeydown = (event) => onAspectKey(lanes, event)
  head.append(button)
  return head
}

// A name and its short end, which is not cut: in "Net sales of Amazon, Q1 2023" it tells one row from the next.
function partedName(name) {
  const at = name.lastIndexOf(", ")
  return at > 0 && name.length - at <= 14 ? [name.slice(0, at), name.slice(at)] : [name, ""]
}

function laneCell(lanes, hop, cell, aspect) {
  const { data } = lanes
  const [long, short, meaning] = SHOWN[cell.state]
  const box = make("td", "lane")
  box.dataset.column = hop.n
  const chip = make("div", cell.fresh ? `chip ${cell.state} fresh` : `chip ${cell.state}`)
  const visible = data.narrow ? short : long
  if (visible && !data.thumbnail) {
    const text = make("span", "", visible)
    if (visible !== long) text.setAttribute("aria-hidden", "true")
    chip.append(text)
  }
  if (visible !== long || !visible || data.thumbnail) chip.append(make("span", "sr", meaning))
  box.title = cellTitle(hop, cell, aspect, meaning)
  box.append(chip)
  if (!data.thumbnail) box.onclick = () => pickHop(lanes, hop.n)
  return box
}

function cellTitle(hop, cell, aspect, meaning) {
  const score = cell.score === null ? "" : `, coverage ${cell.score.toFixed(2)}`
  const chance = cell.state === "new" && !cell.targeted ? ", found along the way" : ""
  const proof = cell.proof ? `\n${cell.proof}` : ""
  return `Hop ${hop.n}: ${aspect.name}: ${meaning}${chance}${score}${proof}`
}

function legend(data) {
  const box = make("div", "legend")
  const states = new Set(data.hops.flatMap((hop) => hop.cells.map((cell) => cell.state)))
  for (const state of ["new", "kept", "missed", "open", "searching", "not_run"]) {
    if (states.has(state)) box.append(legendItem(legendChip(state), SHOWN[state][2]))
  }
  if (data.aspects.some((aspect) => aspect.core)) box.append(legendItem(make("span", "core"), "core"))
  if (data.aspects.some((aspect) => !aspect.core)) box.append(legendItem(make("span", "core optional"), "optional"))
  const stages = make("span", "stage-key")
  for (const name of data.stage_names) stages.append(legendItem(make("span", `swatch ${stageClass(name)}`), name))
  box.append(stages)
  return box
}

function legendChip(state) {
  return make("span", `chip ${state}`, SHOWN[state][1])
}

function legendItem(picture, words) {
  const item = make("span", "item")
  picture.setAttribute("aria-hidden", "true")
  item.append(picture, make("span", "", words))
  return item
}
