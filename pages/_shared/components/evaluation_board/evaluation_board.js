// Numbers in a table, each a button that asks for the runs behind it; a line under it shows the interval from 0 to 1.

// Pixels that a column needs where each number has its difference beside it: nine columns and their rows' names at 1280.
const ROOMY = 112

function colours(root) {
  const given = getComputedStyle(root).getPropertyValue("--st-chart-categorical-colors")
  const list = given.split(",").map((each) => each.trim()).filter(Boolean)
  return list.length ? list : ["currentColor"]
}

function interval(value, colour) {
  const track = make("span", "track")
  track.style.display = "block"
  if (value.low !== null && value.high !== null) {
    const range = make("i")
    range.style.left = `${100 * value.low}%`
    range.style.width = `${Math.max(1, 100 * (value.high - value.low))}%`
    range.style.background = colour
    track.append(range)
  }
  const dot = make("b")
  dot.style.left = `${100 * value.at  }%`
  dot.style.background = colour
  dot.style.borderColor = colour
  track.append(dot)
  return track
}

// The interval and n, each in one line.
function spread(value) {
  return (value.range || "").replace("–", "\u2060–\u2060").replace("· n ", "·\u00a0n\u00a0")
}

function cell(value, column, colour, data, pick) {
  const place = make("td", column.kind)
  if (!value) {
    place.append(make("span", "none", "–"))
    return place
  }
  if (!value.id) {
    place.append(make("span", "none", value.text), make("span", "range", spread(value)))
    return place
  }
  const state = (value.best ? " best" : "") + (value.weak ? " weak" : "") + (value.id === data.selected ? " selected" : "")
  const button = make("button", `cell${  state}`)
  button.type = "button"
  button.setAttribute("aria-label", `${value.say  }. ${  data.words.runs}`)
  const top = make("span", "top")
  top.append(make("span", "value", value.text))
  if (value.delta) top.append(make("span", "delta", value.delta))
  button.append(top)
  if (value.at !== null) button.append(interval(value, colour))
  if (value.range) button.append(make("span", "range", spread(value)))
  button.addEventListener("click", () => pick(value.id))
  place.append(button)
  return place
}

function named(words, place, list) {
  const name = make("span", "name")
  if (place !== null) {
    const dot = make("span", "dot")
    dot.style.background = list[place % list.length]
    name.append(dot)
  }
  name.append(make("span", "", words))
  return name
}

function line(row, data, list, pick) {
  const tr = make("tr")
  const name = make("th")
  name.scope = "row"
  name.append(named(row.name, row.place, list))
  if (row.note) name.append(make("small", row.place === null ? "" : "inset", row.note))
  const cells = row.cells.map((value, i) => {
    const column = data.columns[i]
    const place = row.place === null ? column.place : row.place
    return cell(value, column, list[place % list.length], data, pick)
  })
  tr.append(name, ...cells)
  return tr
}

function bands(data) {
  const tr = make("tr", "bands")
  tr.append(make("td"))
  let last = null
  for (const column of data.columns) {
    if (last && last.text === column.band) {
      last.th.colSpan += 1
      continue
    }
    const th = make("th")
    th.scope = "colgroup"
    if (column.band) th.append(make("span", `band ${  column.kind}`, column.band))
    last = { th, text: column.band }
    tr.append(th)
  }
  return tr
}

function head(data, list) {
  const thead = make("thead")
  if (data.columns.some((column) => column.band)) thead.append(bands(data))
  const tr = make("tr")
  const first = make("th", "", data.words.first)
  first.scope = "col"
  tr.append(first)
  for (const column of data.columns) {
    const th = make("th", "column")
    th.append(named(column.name, column.place, list))
    th.scope = "col"
    if (column.meaning) th.title = column.meaning
    tr.append(th)
  }
  thead.append(tr)
  return thead
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root")
  const focused = root.getRootNode().activeElement
  const place = focused ? [...root.querySelectorAll("button")].indexOf(focused) : -1
  const table = make("table")
  const body = make("tbody")
  const list = colours(root)
  const pick = (id) => setTriggerValue("pick", id)
  body.append(...data.rows.map((row) => line(row, data, list, pick)))
  table.append(make("caption", "sr", data.words.caption), head(data, list), body)
  const scroll = make("div", "scroll edged")
  scroll.append(table)
  root.replaceChildren(scroll)
  oneStop(body)
  if (place >= 0) root.querySelectorAll("button")[place]?.focus()
  return fitted(root, (width) => {
    table.classList.toggle("many", width < ROOMY * (data.columns.length + 1))
  })
}
