// A text with quoted spans and matched words marked; brings the first quote into view once where it is asked to. Also
// the question as a heading, with a legend of its marks.

const SHOWN = new WeakMap()
// Letters from which on a question scrolls in a box of its own, so that the page below it stays in sight.
const LONG = 600
// Letters from which on it is a brief of several lines: in large letters it would push its answer out of sight.
const BRIEF = 200

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".root")
  const text = make(data.heading ? "h2" : "div", data.heading ? "text heading" : "text")
  text.dir = "auto"
  appendParts(text, data.parts)
  if (data.heading && text.textContent.length > BRIEF) text.classList.add("brief")
  if (data.heading && text.textContent.length > LONG) {
    text.classList.add("long")
    text.tabIndex = 0
  }
  root.replaceChildren(text)
  if (data.legend && data.legend.length) root.append(legend(data.legend))
  const quote = data.into_view && text.querySelector("mark.quote")
  if (quote && SHOWN.get(parentElement) !== data.id) {
    SHOWN.set(parentElement, data.id)
    requestAnimationFrame(() => quote.scrollIntoView({ block: "nearest" }))
  }
}

function legend(items) {
  const box = make("div", "legend")
  for (const [kind, words] of items) {
    const item = make("span", "item")
    item.append(make("mark", kind, words))
    box.append(item)
  }
  return box
}
