// Coverage lanes: hops are columns, aspects are rows. Built when the run changes, repainted when the selection or the
// playhead moves. Only text is ever set. Picks go back as the trigger "pick": {hop, aspect, replay, n}; Python gives the
// newest n it has heard of back as heard, so that an answer to an older pick never undoes a newer one. What Python says
// is chosen comes with the lanes, or, where data.choice names it, by itself: lanes of fifty hops are not sent again then.

const LANES = new WeakMap()
const STEP_MS = 900
const PATIENCE_MS = 5000
const SPEEDS = [[0.5, "½×"], [1, "1×"], [2, "2×"]]
const SHOWN = {
  new: ["+ new", "+", "newly covered"],
  kept: ["", "", "covered earlier"],
  missed: ["not found", "–", "targeted, not found"],
  open: ["", "", "open, no own query"],
  searching: ["searching…", "…", "being searched"],
  not_run: ["not run", "!", "targeted, not run"],
}
const GAIN = { running: "searching…", failed: "failed", interrupted: "interrupted" }
// What a hop that goes on is doing after the last stage that it has ended: a model takes a while to read.
const THEN = { retrieve: "reading…", "follow links": "reading…", read: "scoring…", critique: "choosing…", assemble: "deciding…" }
const NARROW_GAIN = { running: "…", failed: "failed", interrupted: "cut off" }

export default function (component) {
  const { data, parentElement } = component
  let lanes = LANES.get(parentElement)
  if (!lanes) {
    lanes = newLanes(parentElement.querySelector(".root"))
    LANES.set(parentElement, lanes)
  }
  lanes.send = (pick) => component.setTriggerValue("pick", { ...pick, n: lanes.asked })
  lanes.tell = () => component.setTriggerValue("shown", true)
  if (data.live) adoptLive(lanes, data)
  else adopt(lanes, data)
  if (!data.live && !data.thumbnail) tellEnd(lanes)
  return () => {
    lanes.sized?.disconnect()
    lanes.widths?.disconnect()
    showEnding(lanes, Infinity)
    stopReplay(lanes)
    choices().told.delete(lanes.data?.choice)
    clearTimeout(lanes.beating)
    clearTimeout(lanes.sending)
    clearTimeout(lanes.patience)
    LANES.delete(parentElement)
  }
}

function newLanes(root) {
  return { root, data: null, drawn: "", hop: null, aspect: null, asked: 0, playhead: null, timer: null, speed: 1 }
}

function adopt(lanes, data) {
  const grown = lanes.data && data.hops.length > lanes.data.hops.length
  if (data.choice) choices().told.set(data.choice, () => retake(lanes))
  take(lanes, data)
  draw(lanes, data)
  if (grown) say(lanes, data.hops.at(-1))
}

// What is chosen, by the name of the lanes, and whom to tell when it changes; shared with lanes_choice.js.
function choices() {
  return (globalThis.adaqLanes ??= { chosen: new Map(), told: new Map() })
}

// What Python says wins, except while it has not heard of our own newest pick yet.
function take(lanes, data) {
  const said = data.choice ? choices().chosen.get(data.choice) : data
  if (!said) return // it will be told
  if (!lanes.said) lanes.asked = said.heard
  lanes.said = said
  if (lanes.asked <= said.heard && lanes.playhead === null) {
    lanes.hop = said.hop
    lanes.aspect = said.aspect
  }
  showEnding(lanes, said.heard)
}

function retake(lanes) {
  take(lanes, lanes.data)
  paint(lanes)
}

function draw(lanes, data) {
  const structure = JSON.stringify([data.hops, data.aspects, data.status, data.narrow, data.dense, data.thumbnail, data.pad])
  lanes.data = data
  if (structure !== lanes.drawn) {
    lanes.drawn = structure
    build(lanes)
  }
  paint(lanes)
}

// How much of the window is left below the lanes, for the drawer that stands there in a low one.
function tellEnd(lanes) {
  const page = pageOf(lanes)
  if (!page || lanes.sized) return
  const measure = () => {
    const end = lanes.root.getBoundingClientRect().bottom - page.getBoundingClientRect().top + page.scrollTop
    page.style.setProperty("--below-lanes", `${Math.round(page.clientHeight - end)}px`)
  }
  lanes.sized = new ResizeObserver(measure)
  for (const each of [lanes.root, page]) lanes.sized.observe(each)
  measure()
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
  if (lanes.data.live) return
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
    if (!lanes.said || lanes.asked <= lanes.said.heard) return
    lanes.asked = lanes.said.heard
    retake(lanes)
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
    if (lanes.playhead === null) beginReplay(lanes)
    startTimer(lanes)
  }
  paint(lanes)
}

// Told at once, so that what stands around the lanes forgets the ending before the first hop is shown.
function beginReplay(lanes) {
  lanes.playhead = 0
  lanes.hop = null
  lanes.aspect = null
  ask(lanes)
  lanes.send({ hop: 0, aspect: null, replay: true })
  hideEnding(lanes)
}

// What stands around the lanes shows the ending until Python has heard that a replay began.
function hideEnding(lanes) {
  const timer = setTimeout(() => showEnding(lanes, Infinity), PATIENCE_MS)
  lanes.ending = { page: pageOf(lanes), asked: lanes.asked, timer }
  lanes.ending.page?.setAttribute("data-ending", "hidden")
}

function showEnding(lanes, heard) {
  if (!lanes.ending || heard < lanes.ending.asked) return
  clearTimeout(lanes.ending.timer)
  lanes.ending.page?.removeAttribute("data-ending")
  lanes.ending = null
}

function pageOf(lanes) {
  return lanes.root.getRootNode().host?.closest("[data-testid=stMain]")
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
  setText(lanes.live, `Hop ${hop.n}: ${gainWords(hop)}, ${hop.covered} of ${lanes.data.aspects.length} aspects covered`)
}
