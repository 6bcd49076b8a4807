// Aspects by methods: which hop covered what; every cell is a button that asks for the evidence behind it.

function cell(value, row, column, pick) {
  const button = make("button", `cell ${  value.kind}`, value.text)
  button.type = "button"
  button.setAttribute("aria-label", `${row.aspect  }, ${  column  }: ${  value.text  }. Show the evidence.`)
  button.addEventListener("click", () => pick(row.aspect, button))
  const place = make("td")
  place.append(button)
  return place
}

function line(row, data, pick) {
  const tr = make("tr")
  const name = make("th", "", row.aspect)
  name.scope = "row"
  if (!row.core) name.append(make("small", "", data.words.optional))
  tr.append(name, ...row.cells.map((value, i) => cell(value, row, data.columns[i], pick)))
  return tr
}

function head(data) {
  const tr = make("tr")
  const labels = [data.words.aspect, ...data.columns]
  labels.forEach((label, i) => {
    const th = make("th", i === 0 ? "first" : "", label)
    th.scope = "col"
    tr.append(th)
  })
  const thead = make("thead")
  thead.append(tr)
  return thead
}

// The cells stay as they are while another aspect is chosen. Once its drawer is closed the focus, which is lost with it,
// goes back to the cell that opened it.
function choose(root, data) {
  const lines = [...root.querySelectorAll("tbody tr")]
  lines.forEach((tr, i) => tr.classList.toggle("selected", data.rows[i].aspect === data.selected))
  if (data.selected || !root.pressed) return
  if (document.activeElement?.matches("body, main")) root.pressed.focus()
  root.pressed = null
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root")
  const drawn = JSON.stringify([data.columns, data.rows, data.words])
  if (root.drawn === drawn) return choose(root, data)
  root.drawn = drawn
  const focused = root.getRootNode().activeElement
  const place = focused ? [...root.querySelectorAll("button")].indexOf(focused) : -1
  const table = make("table")
  // Narrower, the cells would lie on each other: a small window scrolls sideways.
  table.style.setProperty("--methods", String(data.columns.length))
  table.style.minWidth = `${150 + 86 * data.columns.length  }px`
  const caption = make("caption", "sr", data.words.caption)
  const body = make("tbody")
  const pick = (aspect, button) => {
    root.pressed = button
    setTriggerValue("pick", aspect)
  }
  body.append(...data.rows.map((row) => line(row, data, pick)))
  table.append(caption, head(data), body)
  const scroll = make("div", "scroll edged")
  scroll.append(table)
  root.replaceChildren(scroll)
  choose(root, data)
  oneStop(body)
  if (place >= 0) root.querySelectorAll("button")[place]?.focus()
}
