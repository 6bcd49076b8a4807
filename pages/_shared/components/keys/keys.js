// Keys of the whole page: "/" goes to the search, "c" to the comparison of the run that is shown, "?" to the list of keys.
// They do nothing while someone types.

const SEARCH = "input[type=search], [data-testid=stChatInputTextArea]"
const COMPARE = ".st-key-key_compare a"

const TEXT = "input:not([type=checkbox], [type=radio])"

function typing(event) {
  const target = event.composedPath()[0]
  return Boolean(target.closest?.(`${TEXT}, textarea, select, [contenteditable=true], [role=dialog], dialog[open]`))
}

function isSeen(element) {
  return element.getClientRects().length > 0
}

// A table is drawn on a canvas, which takes a press of Enter on a button in a cell for nothing: it is clicked in its place.
// The button stands in the first column, or in the second behind that of the ticks.
const BUTTONS = new Set(["Open", "Read"])
const TICKS = 33, MIDDLE = 32
const SETTLED = 300 // milliseconds after which the table says which cell is chosen

// Heard on the way down: the table lets no key through.
function onEnter(event) {
  const canvas = event.key === "Enter" && event.composedPath()[0].closest?.("[data-testid=stDataFrame] canvas")
  if (canvas) setTimeout(() => pressCell(canvas), SETTLED)
}

function pressCell(canvas) {
  const cell = canvas.querySelector("td[id^=glide-cell-][aria-selected=true]")
  if (!cell || !BUTTONS.has(cell.textContent)) return
  const [column, row] = cell.id.split("-").slice(2).map(Number)
  const { left, top, height } = canvas.getBoundingClientRect()
  const rows = Number(cell.closest("table").getAttribute("aria-rowcount")) // the head is one of them
  const at = { clientX: left + column * TICKS + MIDDLE, clientY: top + (row + 1.5) * (height / rows) }
  for (const kind of ["pointerdown", "pointerup", "click"]) {
    canvas.dispatchEvent(new PointerEvent(kind, { ...at, bubbles: true, cancelable: true, view: window }))
  }
}

function onKey(event, ask) {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return
  if (event.key === "?") ask()
  const wanted = { "/": SEARCH, c: COMPARE }[event.key]
  const found = wanted && [...document.querySelectorAll(wanted)].find(isSeen)
  if (!found) return
  event.preventDefault()
  if (event.key === "c") found.click()
  else found.focus()
}

// The list is the browser's own dialog: the server hears neither of its opening nor of its closing, so that no run of the
// script which it asks for takes back what the next key does.
function listOf(places) {
  const list = make("dialog", "keys")
  const name = make("h2", "", "Keys")
  name.id = "keys_name"
  list.setAttribute("aria-labelledby", name.id)
  const close = make("button", "close", "Close")
  close.onclick = () => list.close()
  list.onclick = (event) => { if (event.target === list) list.close() }
  // Left to the browser it closes only later, and a key pressed meanwhile would be one pressed in the list.
  list.onkeydown = (event) => { if (event.key === "Escape") list.close() }
  list.append(name, ...places.flatMap(partOf), close)
  return list
}

function partOf([place, keys]) {
  const rows = make("dl")
  for (const [names, meaning] of keys) {
    const pressed = make("dt")
    pressed.append(...names.map((one) => make("kbd", "", one)))
    rows.append(pressed, make("dd", "", meaning))
  }
  return [make("h3", "", place), rows]
}

function showList(mine) {
  const { parentElement, data } = mine.component
  mine.list?.remove()
  mine.list = listOf(data.places)
  parentElement.append(mine.list)
  mine.list.showModal()
}

// What the server colours (logo, drawer) would keep the theme in which it was drawn, so it is told. Drawing the page anew
// closes what was opened by a click, so it is told once no dialog is open; the style of the page reads the theme here.
function themeOf(app) {
  const [red, green, blue] = getComputedStyle(app).backgroundColor.match(/\d+/g).map(Number)
  return red + green + blue < 384 ? "dark" : "light"
}

function watchTheme(mine) {
  const app = document.querySelector("[data-testid=stApp]")
  let told = ""
  mine.compare = () => {
    const theme = themeOf(app)
    document.documentElement.dataset.theme = theme
    if (document.querySelector("[data-testid=stDialog]")) return
    if (theme === mine.component.data.theme) told = ""
    else if (theme !== told) mine.component.setTriggerValue("theme", (told = theme))
  }
  const watch = new MutationObserver(() => mine.compare())
  watch.observe(app, { attributes: true, attributeFilter: ["class"] })
  watch.observe(document.body, { childList: true })
  mine.compare()
  return () => watch.disconnect()
}

// Streamlit tells the server some 20 ms after it was closed that a drawer is, and names the page on which that was: a link
// pressed meanwhile was taken back. So a link outside of it waits until that is said.
const CLOSING = 300
const DRAWER = "[data-testid=stDialog]"

function holdLinks() {
  const until = { closed: -Infinity }
  const closes = (event) => {
    if (event.key && event.key !== "Escape") return
    if (document.querySelector(DRAWER)) until.closed = performance.now() + CLOSING
  }
  const hold = (event) => {
    const link = event.target.closest("a[href]")
    const left = until.closed - performance.now()
    if (!link || left <= 0 || link.closest(DRAWER)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    setTimeout(() => link.click(), left)
  }
  const heard = [["keydown", closes], ["pointerdown", closes], ["click", hold]]
  for (const [name, listener] of heard) document.addEventListener(name, listener, true)
  return () => heard.forEach(([name, listener]) => document.removeEventListener(name, listener, true))
}

// What has the focus may be gone with the next run of the script, as "Start" is: then the focus would be nowhere, and a
// reader of the screen at the top of the page. It goes to the content, from which Tab leads to its first control.
const LOOKED_EVERY = 200

// Nobody led it there, so that no ring is drawn around the page.
function lead(main) {
  if (!main) return
  main.dataset.led = ""
  main.addEventListener("blur", () => delete main.dataset.led, { once: true })
  main.focus({ preventScroll: true })
}

function keepFocus() {
  let last = null
  const remember = (event) => { last = event.target }
  const look = () => {
    if (!last || last.isConnected) return
    last = null
    if (document.activeElement === document.body) lead(document.querySelector("[data-testid=stMain]"))
  }
  document.addEventListener("focusin", remember)
  const timer = setInterval(look, LOOKED_EVERY)
  return () => {
    clearInterval(timer)
    document.removeEventListener("focusin", remember)
  }
}

// This runs again with every change of the data: one listener stays, and asks through the newest component.
const LISTENING = new WeakMap()

export default function (component) {
  const { parentElement } = component
  const known = LISTENING.get(parentElement)
  if (known) {
    known.component = component
    known.compare()
    return known.stop
  }
  const mine = { component }
  const listen = (event) => onKey(event, () => showList(mine))
  const undo = [watchTheme(mine), holdLinks(), keepFocus()]
  mine.stop = () => {
    undo.forEach((each) => each())
    document.removeEventListener("keydown", listen)
    document.removeEventListener("keydown", onEnter, true)
    mine.list?.remove()
    LISTENING.delete(parentElement)
  }
  document.addEventListener("keydown", listen)
  document.addEventListener("keydown", onEnter, true)
  LISTENING.set(parentElement, mine)
  return mine.stop
}
