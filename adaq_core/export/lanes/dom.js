// Small DOM functions that the components share; they only ever set text, never markup.

function make(tag, className, text) {
  const element = document.createElement(tag)
  if (className) element.className = className
  if (text !== undefined && text !== null) element.textContent = text
  return element
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

// parts: [[text, kind], …] with kind "" | "word" | "quote"
function appendParts(parent, parts) {
  for (const [text, kind] of parts) {
    parent.append(kind ? make("mark", kind, text) : document.createTextNode(text))
  }
}

// Where a key leads from a cell of a table: rows and columns may have holes, and nothing lies beyond the last.
function cellAt(filled, [atRow, atColumn], key) {
  const inRow = filled.filter(([y]) => y === atRow).map(([, x]) => x)
  const inColumn = filled.filter(([, x]) => x === atColumn).map(([y]) => y)
  const x = {
    ArrowLeft: inRow.findLast((one) => one < atColumn),
    ArrowRight: inRow.find((one) => one > atColumn),
    Home: inRow[0],
    End: inRow.at(-1),
  }[key]
  const y = {
    ArrowUp: inColumn.findLast((one) => one < atRow),
    ArrowDown: inColumn.find((one) => one > atRow),
  }[key]
  return [y ?? atRow, x ?? atColumn]
}

// The buttons in the cells of a table are one stop of the Tab key; arrows, Home and End go from one to the next.
function oneStop(rows) {
  const stops = [...rows.querySelectorAll("button")].map((button) => {
    const around = button.closest("td")
    return { button, at: [around.parentElement.rowIndex, around.cellIndex] }
  })
  const leave = (chosen) => stops.forEach(({ button }) => { button.tabIndex = button === chosen ? 0 : -1 })
  leave(stops[0]?.button)
  rows.addEventListener("focusin", (event) => leave(event.target))
  rows.addEventListener("keydown", (event) => {
    const here = stops.find(({ button }) => button === event.target)
    if (!here || !/^(Arrow|Home$|End$)/.test(event.key)) return
    event.preventDefault()
    const [y, x] = cellAt(stops.map(({ at }) => at), here.at, event.key)
    stops.find(({ at }) => at[0] === y && at[1] === x).button.focus()
  })
}

const WIDTHS = new WeakMap()

// Calls `fit` with the width of `root`, now and whenever it is another, until it is called for it again or ended.
function fitted(root, fit) {
  WIDTHS.get(root)?.disconnect()
  const widths = new ResizeObserver(() => fit(root.clientWidth))
  WIDTHS.set(root, widths)
  fit(root.clientWidth)
  widths.observe(root)
  return () => widths.disconnect()
}

function seconds(value) {
  if (value === null || value === undefined) return "–"
  if (value < 0.0995) return `${Math.round(value * 1000)  } ms`
  return `${value < 9.995 ? value.toFixed(2) : value.toFixed(1)  } s`
}

// A link to a page of the web, in a window of its own that learns nothing of this one; null for any other address.
function webLink(url, host, className) {
  if (!/^https?:\/\//i.test(url || "") || !host) return null
  const link = make("a", className, `${host} ↗`)
  link.href = url
  link.target = "_blank"
  link.rel = "noopener noreferrer"
  link.title = url
  link.setAttribute("aria-label", `Open the page at ${host} in a new window`)
  return link
}
