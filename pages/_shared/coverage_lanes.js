// Coverage lanes: hops are columns, aspects are rows. Built when the run changes, repainted when the selection or the
// playhead moves. Only text is ever set. Picks go back as the trigger "pick": {hop, aspect, replay, n}; Python gives the
// newest n it has heard of back as data.heard, so that an answer to an older pick never undoes a newer one.

const LANES = new WeakMap()
const STEP_MS = 900
const PATIENCE_MS = 5000
const SPEEDS = [[0.5, "½×"], [1, "1×"], [2, "2×"]]
const SHOWN = {
  new: ["+ new", "+", "newly covered"],
  kept: ["", "", "covered earlier"],
  missed: ["not found", "–", "targeted, not found"],
  open: ["", "", "open"],
  searching: ["searching…", "…", "being searched"],
  not_run: ["not run", "!", "targeted, not run"],
}
const GAIN = { running: "searching…", failed: "failed", interrupted: "interrupted" }
const NARROW_GAIN = { running: "…", failed: "failed", interrupted: "cut off" }

export default function (component) {
  const { data, parentElement } = component
  let lanes = LANES.get(parentElement)
  if (!lanes) {
    lanes = newLanes(parentElement.querySelector(".root"))
    LANES.set(parentElement, lanes)
  }
  lanes.send = (pick) => component.setTriggerValue("pick", { ...pick, n: lanes.asked })
  adopt(lanes, data)
  return () => {
    stopReplay(lanes)
    clearTimeout(lanes.sending)
    clearTimeout(lanes.patience)
    LANES.delete(parentElement)
  }
}

function newLanes(root) {
  return { root, data: null, drawn: "", hop: null, aspect: null, asked: 0, playhead: null, timer: null, speed: 1 }
}

// What Python says wins, except while it has not heard of our own newest pick yet.
function adopt(lanes, data) {
  if (!lanes.data) lanes.asked = data.heard
  const waiting = lanes.asked > data.heard
  const structure = JSON.stringify([data.hops, data.aspects, data.status, data.narrow, data.dense, data.thumbnail])
  const changed = structure !== lanes.drawn
  const grown = lanes.data && data.hops.length > lanes.data.hops.length
  lanes.data = data
  if (!waiting && lanes.playhead === null) {
    lanes.hop = data.hop
    lanes.aspect = data.aspect
  }
  if (changed) {
    lanes.drawn = structure
    build(lanes)
  }
  paint(lanes)
  if (grown) say(lanes, data.hops[data.hops.length - 1])
}

// ---------------------------------------------------------------- building

function build(lanes) {
  const focused = focusedName(lanes)
  const { data, root } = lanes
  const frame = make("div", "lanes")
  frame.style.setProperty("--hops", String(data.hops.length))
  frame.classList.toggle("narrow", data.narrow)
  frame.classList.toggle("dense", data.dense)
  frame.classList.toggle("thumbnail", data.thumbnail)
  lanes.live = lanes.live || liveRegion()
  if (!data.thumbnail) frame.append(controls(lanes), axis(lanes))
  frame.append(table(lanes))
  if (!data.thumbnail) frame.append(legend(data))
  root.replaceChildren(frame, lanes.live)
  lanes.frame = frame
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
  for (let i = 0; i < data.hops.length; i++) group.append(make("col"))
  group.append(make("col", "score-col"))
  return group
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
  card.title = hop.query
  card.setAttribute("aria-label", hopLabel(hop))
  card.append(cardTop(data, hop))
  if (!data.narrow) card.append(make("div", "query", hop.query || "no query"))
  card.append(stageBar(hop, slowest), make("div", hop.gain ? "gain" : "gain none", gainText(data, hop)))
  card.onclick = () => pickHop(lanes, hop.n)
  card.onkeydown = (event) => onHopKey(lanes, event)
  head.append(card)
  return head
}

function cardTop(data, hop) {
  const top = make("div", "top")
  top.append(make("b", "", data.narrow ? String(hop.n) : `Hop ${hop.n}`))
  top.append(make("span", "", seconds(hop.seconds) + (hop.more_queries && !data.narrow ? ` · ${hop.more_queries + 1} queries` : "")))
  return top
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
  return "stage-" + name.replace(/[^a-z]+/g, "-")
}

function gainText(data, hop) {
  if (GAIN[hop.state]) return (data.narrow ? NARROW_GAIN : GAIN)[hop.state]
  if (data.narrow) return hop.gain ? `+${hop.gain}` : "0"
  if (!hop.gain) return "nothing new"
  return `+${hop.gain} aspect${hop.gain > 1 ? "s" : ""}`
}

function hopLabel(hop) {
  const gain = GAIN[hop.state] || (hop.gain ? `${hop.gain} newly covered` : "nothing new")
  return `Hop ${hop.n}, ${gain}, ${seconds(hop.seconds)}, query: ${hop.query || "none"}`
}

function row(lanes, aspect) {
  const { data } = lanes
  const line = make("tr")
  line.dataset.row = aspect.n
  line.append(rowHead(lanes, aspect))
  data.hops.forEach((hop) => line.append(laneCell(lanes, hop, hop.cells[aspect.n - 1], aspect)))
  const score = make("td", "score")
  score.append(make("span", "figure"), make("span", "tag"))
  line.append(score)
  return line
}

function rowHead(lanes, aspect) {
  const head = make("th", "row-head")
  head.scope = "row"
  if (lanes.data.thumbnail) {
    head.append(make("span", "name", aspect.name))
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

function laneCell(lanes, hop, cell, aspect) {
  const { data } = lanes
  const [long, short, meaning] = SHOWN[cell.state]
  const box = make("td", "lane")
  box.dataset.column = hop.n
  const chip = make("div", `chip ${cell.state}`)
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
  return `Hop ${hop.n}: ${aspect.name}: ${meaning}${chance}${score}`
}

function legend(data) {
  const box = make("div", "legend")
  const states = new Set(data.hops.flatMap((hop) => hop.cells.map((cell) => cell.state)))
  for (const state of ["new", "kept", "missed", "searching", "not_run"]) {
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

// ---------------------------------------------------------------- painting

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
}

function paintRow(lanes, line, upto) {
  const { data } = lanes
  const aspect = data.aspects[Number(line.dataset.row) - 1]
  const last = [...data.hops.slice(0, upto)].reverse().find((hop) => hop.cells[aspect.n - 1].score !== null)
  const score = last ? last.cells[aspect.n - 1].score : null
  const shownBy = data.hops[upto - 1]
  const covered = aspect.covered_at !== null && shownBy !== undefined && shownBy.n >= aspect.covered_at
  line.classList.toggle("covered", covered)
  line.classList.toggle("chosen", lanes.aspect === aspect.n)
  setText(line.querySelector(".figure"), score === null ? "–" : score.toFixed(2))
  setText(line.querySelector(".tag"), covered || data.status === "running" ? "" : "open")
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
  const state = lanes.timer ? "playing" : lanes.playhead !== null ? "paused" : "idle"
  lanes.play.className = `play ${state}`
  lanes.play.disabled = !data.hops.length
  setText(lanes.play.querySelector(".word"), { playing: "Pause", paused: "Go on", idle: "Replay" }[state])
  for (const button of frame.querySelectorAll(".speed")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.speed) === lanes.speed))
  }
  lanes.fill.style.width = `${all ? (100 * covered) / all : 0}%`
  lanes.track.setAttribute("aria-valuenow", String(covered))
  lanes.track.setAttribute("aria-valuemax", String(all))
  lanes.track.setAttribute("aria-valuetext", `${covered} of ${all}`)
  setText(lanes.count, all ? `${covered} / ${all} aspects` : "no aspects planned")
  lanes.axis.hidden = !lanes.timed
  lanes.axisButton?.setAttribute("aria-pressed", String(Boolean(lanes.timed)))
  for (const piece of lanes.axis.querySelectorAll(".axis-hop")) {
    piece.classList.toggle("selected", Number(piece.dataset.hop) === lanes.hop && lanes.aspect === null)
  }
}

function hopIndex(hops, n) {
  return hops.findIndex((hop) => hop.n === n)
}

// ---------------------------------------------------------------- choosing

function pickHop(lanes, n, { wait = 0 } = {}) {
  stopReplay(lanes)
  lanes.playhead = null
  choose(lanes, { hop: n, aspect: null }, wait)
}

function pickAspect(lanes, n, { wait = 0 } = {}) {
  stopReplay(lanes)
  lanes.playhead = null
  choose(lanes, { hop: lanes.hop, aspect: lanes.aspect === n && !wait ? null : n }, wait)
}

function choose(lanes, pick, wait) {
  lanes.hop = pick.hop
  lanes.aspect = pick.aspect
  ask(lanes)
  paint(lanes)
  clearTimeout(lanes.sending)
  lanes.sending = setTimeout(() => lanes.send({ ...pick, replay: false }), wait)
}

// A pick that got lost on the way must not make us deaf.
function ask(lanes) {
  lanes.asked += 1
  clearTimeout(lanes.patience)
  lanes.patience = setTimeout(() => {
    if (lanes.asked <= lanes.data.heard) return
    lanes.asked = lanes.data.heard
    adopt(lanes, lanes.data)
  }, PATIENCE_MS)
}

function onHopKey(lanes, event) {
  const hops = lanes.data.hops
  const last = hops.length - 1
  const at = hopIndex(hops, Number(event.currentTarget.dataset.hop))
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
  if (to !== undefined) {
    event.preventDefault()
    const n = hops[Math.min(last, Math.max(0, to))].n
    pickHop(lanes, n, { wait: 120 })
    focusOn(lanes, `hop-${n}`)
  } else if (event.key === "ArrowDown") {
    event.preventDefault()
    focusOn(lanes, `aspect-${lanes.aspect ?? 1}`)
  } else {
    onSpace(lanes, event)
  }
}

function onAspectKey(lanes, event) {
  const last = lanes.data.aspects.length
  const at = Number(event.currentTarget.dataset.aspect)
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 1, End: last }[event.key]
  if (event.key === "ArrowUp" && at === 1) {
    event.preventDefault()
    focusOn(lanes, `hop-${lanes.hop ?? lanes.data.hops[0]?.n}`)
  } else if (to !== undefined) {
    event.preventDefault()
    const n = Math.min(last, Math.max(1, to))
    pickAspect(lanes, n, { wait: 120 })
    focusOn(lanes, `aspect-${n}`)
  } else {
    onSpace(lanes, event)
  }
}

function focusOn(lanes, name) {
  lanes.root.querySelector(`[data-focus="${name}"]`)?.focus()
}

// ---------------------------------------------------------------- replay

function onSpace(lanes, event) {
  if (event.key === "Escape" && lanes.playhead !== null) {
    finishReplay(lanes)
  } else if (event.key === " " && !event.currentTarget.classList.contains("bar")) {
    event.preventDefault()
    toggleReplay(lanes)
  }
}

function toggleReplay(lanes) {
  if (lanes.timer) {
    stopReplay(lanes)
  } else {
    if (lanes.playhead === null) lanes.playhead = 0
    lanes.aspect = null
    startTimer(lanes)
  }
  paint(lanes)
}

function startTimer(lanes) {
  clearInterval(lanes.timer)
  lanes.timer = setInterval(() => step(lanes), STEP_MS / lanes.speed)
}

function stopReplay(lanes) {
  clearInterval(lanes.timer)
  lanes.timer = null
}

function step(lanes) {
  const hops = lanes.data.hops
  if (lanes.playhead >= hops.length) {
    finishReplay(lanes)
    return
  }
  lanes.playhead += 1
  const hop = hops[lanes.playhead - 1]
  lanes.hop = hop.n
  paint(lanes)
  say(lanes, hop)
  ask(lanes)
  lanes.send({ hop: hop.n, aspect: null, replay: true })
}

function finishReplay(lanes) {
  stopReplay(lanes)
  lanes.playhead = null
  choose(lanes, { hop: lanes.hop, aspect: null }, 0)
}

function say(lanes, hop) {
  const gain = GAIN[hop.state] || (hop.gain ? `${hop.gain} newly covered` : "nothing new")
  setText(lanes.live, `Hop ${hop.n}: ${gain}, ${hop.covered} of ${lanes.data.aspects.length} aspects covered`)
}
