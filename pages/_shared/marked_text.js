// A text with quoted spans and matched words marked; brings the first quote into view once.

const SHOWN = new WeakMap()

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".root")
  const text = make("div", "text")
  appendParts(text, data.parts)
  root.replaceChildren(text)
  const quote = text.querySelector("mark.quote")
  if (quote && SHOWN.get(parentElement) !== data.id) {
    SHOWN.set(parentElement, data.id)
    requestAnimationFrame(() => quote.scrollIntoView({ block: "nearest" }))
  }
}
