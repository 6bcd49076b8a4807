// The answer by aspect: every sentence with the numbers of the passages that carry it; a number opens its passage.

function chip(cite, open) {
  const button = make("button", "chip", String(cite.n))
  button.type = "button"
  button.title = cite.title
  button.setAttribute("aria-label", "Open source " + cite.n + ": " + cite.title)
  button.addEventListener("click", () => open(cite.n))
  return button
}

function sentence(statement, words, open) {
  const item = make("li", statement.supported ? "" : "bare")
  item.append(make("span", "", statement.text))
  for (const cite of statement.cites) item.append(chip(cite, open))
  if (!statement.supported) item.append(make("span", "warn", words.unsupported))
  if (statement.doubted) item.append(make("span", "warn", words.doubted))
  return item
}

function group(value, words, open) {
  const section = make("section")
  const heading = make("h3", "", value.aspect || words.other)
  if (value.hop) heading.append(make("small", "", words.covered + " " + value.hop))
  const list = make("ul")
  for (const statement of value.statements) list.append(sentence(statement, words, open))
  section.append(heading, list)
  return section
}

function source(value, open) {
  const button = make("button", "source")
  button.type = "button"
  const text = make("span", "", value.title)
  if (value.origin) text.append(make("small", "", value.origin))
  button.append(make("b", "", value.numbers), text)
  button.setAttribute("aria-label", "Open source " + value.n + ": " + value.title)
  button.addEventListener("click", () => open(value.n))
  const link = webLink(value.url, value.host, "page")
  if (!link) return button
  const both = make("div", "both")
  both.append(button, link)
  return both
}

function sources(values, words, open) {
  const section = make("section")
  const grid = make("div", "sources")
  for (const value of values) grid.append(source(value, open))
  section.append(make("h4", "", words.sources), grid)
  return section
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root")
  const open = (n) => setTriggerValue("cite", n)
  const parts = data.groups.map((value) => group(value, data.words, open))
  if (data.sources.length) parts.push(sources(data.sources, data.words, open))
  root.replaceChildren(...parts)
}
