// Keys of the whole page: "/" goes to the search, "c" to the comparison of the run that is shown, "?" to the list of keys.
// They do nothing while someone types.

const SEARCH = "input[type=search], [data-testid=stChatInputTextArea]"
const COMPARE = ".st-key-key_compare a"

function typing(event) {
  const target = event.composedPath()[0]
  return Boolean(target.closest?.("input, textarea, select, [contenteditable=true], [role=dialog]"))
}

function isSeen(element) {
  return element.getClientRects().length > 0
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
  const listen = (event) => onKey(event, () => mine.component.setTriggerValue("help", true))
  const unwatch = watchTheme(mine)
  mine.stop = () => {
    unwatch()
    document.removeEventListener("keydown", listen)
    LISTENING.delete(parentElement)
  }
  document.addEventListener("keydown", listen)
  LISTENING.set(parentElement, mine)
  return mine.stop
}
