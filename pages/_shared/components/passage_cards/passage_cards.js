// Passages of the evidence as a numbered list; "Read" sends the trigger "read": passage id.

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".root")
  const focused = parentElement.activeElement?.dataset?.id
  const list = make("ol", "cards")
  for (const card of data.cards) list.append(cardItem(card, setTriggerValue))
  root.replaceChildren(list)
  if (focused) list.querySelector(`button[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true })
}

function cardItem(card, setTriggerValue) {
  const item = make("li", card.fresh ? "card fresh" : "card")
  item.append(make("div", "rank", String(card.rank)), body(card), side(card, setTriggerValue))
  return item
}

function body(card) {
  const box = make("div", "body")
  const head = make("div", "head")
  head.append(make("h4", "title", card.title))
  if (card.origin) head.append(make("span", "origin", card.origin))
  const link = webLink(card.url, card.host, "page")
  if (link) head.append(link)
  box.append(head)
  const snippet = make("p", "snippet")
  snippet.dir = "auto"
  appendParts(snippet, card.parts)
  box.append(snippet, how(card))
  return box
}

function how(card) {
  const list = make("dl", "how")
  pair(list, "First found", card.came)
  pair(list, "By link", card.link)
  pair(list, "Place", card.replaced)
  pair(list, "Why", card.reason)
  return list
}

function pair(list, name, value) {
  if (!value) return
  const line = make("div")
  line.append(make("dt", "", name), make("dd", "", value))
  list.append(line)
}

function side(card, setTriggerValue) {
  const box = make("div", "side")
  const score = make("div", "score")
  const track = make("div", "score-track")
  const fill = make("div", "score-fill")
  fill.style.width = `${Math.max(0, Math.min(100, 100 * card.score))}%`
  track.append(fill)
  score.append(track, make("span", "", card.score.toFixed(2)))
  score.title = "Estimated score as evidence for the question, from 0 to 1"
  box.append(score)
  if (card.covers.length) {
    const covers = make("ul", "covers")
    covers.setAttribute("aria-label", "Covers")
    for (const name of card.covers) covers.append(make("li", "cover", name))
    box.append(covers)
  }
  const button = make("button", "read", "Read passage")
  button.type = "button"
  button.dataset.id = card.id
  button.setAttribute("aria-label", `Read passage: ${card.title}`)
  button.onclick = () => setTriggerValue("read", card.id)
  box.append(button)
  return box
}
