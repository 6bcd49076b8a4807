// The live view: the hops of a run appear one by one at a pace that can be read, however fast the run was. A hop takes a
// beat for its search, one for each aspect that it newly covers, and one to settle, which one that goes on has not yet: so
// what was seen of it stays. `revealed` says what is to be seen after so many beats; the rest of the component draws that
// as if nothing more had happened yet.

const LEAST_MS = 2500
const BEAT_MS = { least: 160, most: 700, live: 300, hold: 700 }

function beatsOf(hop) {
  return (hop.state === "running" ? 1 : 2) + hop.gain
}

function allBeats(data) {
  return data.hops.reduce((sum, hop) => sum + beatsOf(hop), 0)
}

function revealed(data, beat) {
  const hops = []
  let left = beat
  for (const hop of data.hops) {
    if (left <= 0) break
    hops.push(left >= beatsOf(hop) ? hop : hopAt(hop, hops.at(-1), left - 1))
    left -= beatsOf(hop)
  }
  const aspects = data.aspects.map((aspect) => (isCovered(hops, aspect) ? aspect : { ...aspect, covered_at: null }))
  const whole = left >= 0 && hops.length === data.hops.length
  if (!hops.length) hops.push(waitingHop(data))
  return { ...data, hops, aspects, status: whole ? data.status : "running" }
}

// A hop of which the first `shown` newly covered aspects are to be seen.
function hopAt(hop, before, shown) {
  let seen = 0
  const cells = hop.cells.map((cell, i) => {
    const score = before ? before.cells[i].score : null
    if (cell.state === "new") seen += 1
    if (cell.state === "new" && seen <= shown) return { ...cell, fresh: seen === shown }
    if (cell.state !== "new" && cell.state !== "missed") return cell
    return { ...cell, score, state: cell.targeted ? "searching" : "open" }
  })
  const gained = Math.min(shown, hop.gain)
  return { ...hop, cells, gain: gained, covered: (before ? before.covered : 0) + gained, state: "running", sure: null }
}

function isCovered(hops, aspect) {
  return hops.some((hop) => ["new", "kept"].includes(hop.cells[aspect.n - 1].state))
}

// What stands where the first hop will be.
function waitingHop(data) {
  const cells = data.aspects.map(() => ({ state: "open", targeted: false, score: null, proof: "" }))
  const times = { start: 0, seconds: null, stages: [], found: 0 }
  return { n: 1, query: data.waiting, waits: true, more_queries: 0, state: "running", gain: 0, covered: 0, sure: null, cells, ...times }
}

function pauseBefore(data, beat, elapsed) {
  const left = allBeats(data) - beat
  if (data.status === "running") return BEAT_MS.live
  const pace = data.pace || 1
  if (left <= 0) return BEAT_MS.hold * pace
  return Math.min(BEAT_MS.most * pace, Math.max(BEAT_MS.least, ((LEAST_MS - BEAT_MS.hold) * pace - elapsed) / left))
}

// ---------------------------------------------------------------- the clock

function adoptLive(lanes, data) {
  lanes.whole = data
  if (lanes.began === undefined) Object.assign(lanes, { began: performance.now(), beat: 0, beating: null })
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) lanes.beat = allBeats(data)
  draw(lanes, revealed(data, lanes.beat))
  beatOn(lanes)
}

function beatOn(lanes) {
  if (lanes.beating) return
  const pause = pauseBefore(lanes.whole, lanes.beat, performance.now() - lanes.began)
  lanes.beating = setTimeout(() => {
    lanes.beating = null
    nextBeat(lanes)
  }, pause)
}

// Without a beat to show, a run that goes on is waited for: the next data starts the clock again.
function nextBeat(lanes) {
  const { whole } = lanes
  if (lanes.beat < allBeats(whole)) {
    lanes.beat += 1
    const shown = revealed(whole, lanes.beat)
    draw(lanes, shown)
    say(lanes, shown.hops.at(-1))
    beatOn(lanes)
  } else if (whole.status !== "running" && !lanes.told) {
    lanes.told = true
    lanes.tell()
  }
}
