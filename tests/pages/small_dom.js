// As much of a browser's document as the lanes use, in which markup cannot be made: a test drives the lanes in it.

class Text {
  constructor(text) { this.textContent = String(text) }
}

class Tags {
  constructor(owner) { this.owner = owner }
  get all() { return new Set(this.owner.className.split(/\s+/).filter(Boolean)) }
  contains(name) { return this.all.has(name) }
  add(name) { this.toggle(name, true) }
  toggle(name, on) {
    const all = this.all
    if (on) all.add(name)
    else all.delete(name)
    this.owner.className = [...all].join(" ")
  }
}

const ATTRIBUTES = /^(role|type|scope|title|tabindex|aria-[a-z]+)$/
const refuse = (what) => { throw new Error(`markup: ${what}`) }
const dashed = (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

class Element {
  constructor(tag) {
    this.tag = tag
    this.className = ""
    this.children = []
    this.attributes = new Map()
    this.classList = new Tags(this)
    this.dataset = new Proxy({}, { set: (all, name, value) => Reflect.set(all, name, String(value)) })
    this.style = { setProperty() {} }
  }
  set innerHTML(_) { refuse("innerHTML") }
  set outerHTML(_) { refuse("outerHTML") }
  insertAdjacentHTML() { refuse("insertAdjacentHTML") }
  get textContent() { return this.children.map((child) => child.textContent).join("") }
  set textContent(text) { this.children = [new Text(text)] }
  append(...added) {
    for (const child of added) if (child instanceof Element) child.parent = this
    this.children.push(...added.map((child) => (child instanceof Element || child instanceof Text ? child : new Text(child))))
  }
  replaceChildren(...added) {
    this.children = []
    this.append(...added)
  }
  setAttribute(name, value) {
    if (!ATTRIBUTES.test(name)) refuse(name)
    this.attributes.set(name, value)
  }
  getRootNode() { return document.root }
  focus() { document.root.activeElement = this }
  get below() { return this.children.flatMap((child) => (child instanceof Element ? [child, ...child.below] : [])) }
  querySelectorAll(selector) {
    const known = /^(\w+)?(?:\.([\w-]+))?(?:\[data-([\w-]+)(?:="([^"]*)")?\])?$/.exec(selector)
    if (!known) throw new Error(`a selector that is not known: ${selector}`)
    const [, tag, name, data, value] = known
    const set = (each) => Object.entries(each.dataset).find(([key]) => dashed(key) === data)?.[1]
    return this.below.filter((each) =>
      (!tag || each.tag === tag) && (!name || each.classList.contains(name)) &&
      (!data || (set(each) !== undefined && (value === undefined || set(each) === value))))
  }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null }
}

const TAGS = "a b button caption code col colgroup div i mark p pre section small span strong table tbody td th thead tr".split(" ")
const document = {
  root: { activeElement: null },
  createElement: (tag) => (TAGS.includes(tag) ? new Element(tag) : refuse(tag)),
  createTextNode: (text) => new Text(text),
}

// Timers that go off when the test says so, at most so many: a replay that never ends is a fault.
const timers = new Map()
let numbers = 0
function timer(act, again) {
  numbers += 1
  timers.set(numbers, { act, again })
  return numbers
}
const setTimeout = (act) => timer(act, false)
const setInterval = (act) => timer(act, true)
const clearTimeout = (number) => timers.delete(number)
const clearInterval = clearTimeout
const requestAnimationFrame = (act) => act()
const matchMedia = () => ({ matches: false })
class ResizeObserver {
  constructor(act) { this.act = act }
  observe() { this.act() }
  disconnect() {}
}

function goOff(most) {
  for (let i = 0; timers.size; i++) {
    if (i > most) throw new Error("the timers never end")
    const [number, due] = timers.entries().next().value
    timers.delete(number)
    if (due.again) timers.set(number, due)
    due.act()
  }
}

// Everything in it that can be pressed is pressed, and every key on it.
function pressAll(root) {
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", " ", "Escape", "x"]
  for (const each of root.below) {
    each.onclick?.({})
    for (const key of keys) each.onkeydown?.({ key, currentTarget: each, preventDefault() {} })
  }
}
