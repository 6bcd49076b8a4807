// The answer by aspect: every sentence with the numbers of the passages that carry it; a number opens its passage.

function chip(cite, open) {
  const button = make("button", "chip", String(cite.n))
  button.type = "button"
  button.title = cite.title
  button.dataset.id = cite.id
  button.setAttribute("aria-label", `Open source ${  cite.n  }: ${  cite.title}`)
  button.addEventListener("click", () => open(cite.id))
  return button
}

// The sentence with the likeliest candidates for a short answer marked in it.
function marked(statement) {
  const span = make("span")
  const pieces = statement.pieces || [[statement.text, ""]]
  span.append(...pieces.map(([text, kind]) => (kind ? make("mark", "", text) : text)))
  return span
}

function short(value, words, open) {
  const section = make("section", "short")
  if (value.parts.length) section.append(figures(value.parts))
  const line = make("p", "", "")
  if (!value.parts.length) line.append(strong(value.text))
  for (const cite of value.cites) line.append(chip(cite, open))
  section.append(line)
  if (value.step) {
    const step = make("small")
    step.append(...idsWhole(`${words.step  } ${  value.step}`))
    section.append(step)
  }
  return section
}

function strong(text) {
  const line = make("strong")
  line.append(...idsWhole(text))
  return line
}

// An id such as T-1011 is not parted at the end of a line.
function idsWhole(text) {
  return text.split(/(\b[A-Z]{1,9}-\d{1,9}\b)/).map((part, i) => (i % 2 ? make("span", "beside", part) : part))
}

// What rows add up to by a column: a name and a figure a line.
function figures(parts) {
  const list = make("table", "figures")
  list.append(...parts.map(([name, figure]) => tableRow(headed("row", name), make("td", "", figure))))
  return list
}

function cell(value, words, open) {
  const box = make("td")
  if (value.missed) box.append(make("span", "warn first", words.missed))
  for (const statement of value.statements) box.append(sentence(statement, words, open, "div"))
  if (!value.statements.length) box.append("–")
  return box
}

// What the columns of a table need beside their first one, in pixels: of words, and of figures.
const FIRST = 90
const LEAST = { words: 145, figures: 84 }

function isCut(value, width) {
  const least = value.figures ? LEAST.figures : LEAST.words
  return width > 0 && width < FIRST + least * value.columns.length
}

function table(value, words, open) {
  const section = make("section", "wide edged")
  section.tabIndex = 0
  section.setAttribute("role", "region")
  section.setAttribute("aria-label", words.table)
  const grid = make("table", value.stacked ? "stacked" : "")
  grid.classList.toggle("figured", value.figures && !value.stacked)
  grid.append(...(value.stacked ? stackedRows(value, words, open) : rowsBeside(value, words, open)))
  section.append(grid)
  return section
}

function tableRow(...cells) {
  const row = make("tr")
  row.append(...cells)
  return row
}

function headed(scope, text) {
  const head = make("th", "", text)
  head.scope = scope
  return head
}

function rowsBeside(value, words, open) {
  const head = tableRow(make("td"), ...value.columns.map((name) => headed("col", name)))
  const rows = value.rows.map(([label, cells]) =>
    tableRow(headed("row", label), ...cells.map((each) => cell(each, words, open))))
  return [head, ...rows]
}

// A block for each row: its label, below it a line for each column.
function stackedRows(value, words, open) {
  return value.rows.map(([label, cells]) => {
    const block = make("tbody")
    const head = headed("rowgroup", label)
    head.colSpan = 2
    block.append(tableRow(head), ...cells.map((each, i) => tableRow(headed("row", value.columns[i]), cell(each, words, open))))
    return block
  })
}

// The last word and the first number in one: a number is never left alone at the beginning of a line.
function beside(text, number) {
  const word = text.data.slice(text.data.lastIndexOf(" ") + 1)
  const both = make("span", word.length < 30 ? "beside" : "")
  if (word.length < 30) text.data = text.data.slice(0, text.data.length - word.length)
  both.append(word.length < 30 ? word : "", number)
  return both
}

// The lines of a program as its passage has them, below what the sentence says before them.
function program(item, statement, open) {
  item.className = "program"
  const chips = statement.cites.map((cite) => chip(cite, open))
  const lines = make("pre")
  lines.append(make("code", "", statement.program))
  item.append(make("span", "", statement.text), ...chips, lines)
  return item
}

function sentence(statement, words, open, tag = "li") {
  const item = make(tag, statement.supported ? "" : "bare")
  if (statement.program) return program(item, statement, open)
  item.dir = "auto"
  const text = marked(statement)
  const [first, ...more] = statement.cites.map((cite) => chip(cite, open))
  item.append(text, ...(first ? [beside(text.lastChild, first), ...more] : []))
  if (!statement.supported) item.append(make("span", "warn", words.unsupported))
  if (statement.doubted) item.append(make("span", "warn", words.doubted))
  return item
}

function group(value, words, open) {
  const section = make("section")
  const heading = make("h3", "", value.aspect || words.other)
  if (value.hop) heading.append(make("small", "", `${words.covered  } ${  value.hop}`))
  if (value.missed) heading.append(make("span", "warn first", words.missed))
  const list = make("ul")
  for (const statement of value.statements) list.append(sentence(statement, words, open))
  if (value.headed) section.append(heading)
  section.append(list)
  return section
}

function source(value, open) {
  const button = make("button", "source")
  button.type = "button"
  const text = make("span", "", value.title)
  if (value.origin) text.append(make("small", "", value.origin))
  button.append(make("b", "", value.numbers), text)
  button.dataset.id = value.id
  button.setAttribute("aria-label", `Open source ${  value.n  }: ${  value.title}`)
  button.addEventListener("click", () => open(value.id))
  const link = webLink(value.url, value.host, "page")
  if (!link) return button
  const both = make("div", "both")
  both.append(button, link)
  return both
}

function sources(values, words, open) {
  const section = make("section")
  const grid = make("div", "sources")
  const [first] = values
  const shared = values.length > 1 && values.every((value) => value.origin === first.origin) ? first.origin : ""
  for (const value of values) grid.append(source(shared ? { ...value, origin: "" } : value, open))
  const heading = make("h3", "lesser")
  heading.append(make("span", "", words.sources))
  if (shared) heading.append(make("small", "", `${words.shared} ${shared}`))
  section.append(heading, grid)
  return section
}

// A drawer that closes gives the focus back to what had it, which for the page is all of this: it goes on to the number.
// Only until then can all of this have the focus: from what is left out of the order of the Tab key, its numbers are too.
function expectBack({ host }, number) {
  if (!host) return
  host.tabIndex = -1
  host.onfocus = () => {
    host.onfocus = null
    host.removeAttribute("tabindex")
    number()?.focus()
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root")
  const open = (id) => {
    expectBack(parentElement, () => parentElement.querySelector(`[data-id="${id}"]`))
    setTriggerValue("cite", id)
  }
  const draw = (grid) => {
    const parts = data.short ? [short(data.short, data.words, open)] : []
    if (grid) parts.push(table(grid, data.words, open))
    parts.push(...data.groups.map((value) => group(value, data.words, open)))
    if (data.sources.length) parts.push(sources(data.sources, data.words, open))
    root.replaceChildren(...parts)
  }
  let stacked = null
  return fitted(root, (width) => {
    const now = Boolean(data.table) && (data.table.stacked || isCut(data.table, width))
    if (now === stacked) return
    stacked = now
    draw(data.table && { ...data.table, stacked })
  })
}
