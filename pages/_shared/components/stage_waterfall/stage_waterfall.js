// Stages of a hop as a table of bars on one time axis.

export default function ({ data, parentElement }) {
  const whole = Math.max(data.total, 1e-6)
  const table = make("table")
  table.append(make("caption", "sr", "Stages of the hop: start and duration"), headRow(whole))
  const body = make("tbody")
  for (const bar of data.bars) body.append(row(bar, whole))
  table.append(body)
  parentElement.querySelector(".root").replaceChildren(table)
}

function headRow(whole) {
  const head = make("thead")
  const line = make("tr")
  const names = ["Stage", "", "Time", "Share"]
  for (const name of names) {
    const cell = make(name ? "th" : "td", name === "Stage" ? "" : "right", name)
    if (name) cell.scope = "col"
    else cell.append(ticks(whole))
    line.append(cell)
  }
  head.append(line)
  return head
}

function ticks(whole) {
  const box = make("div", "ticks")
  for (const share of [0, 0.5, 1]) box.append(make("span", "", share ? seconds(whole * share) : "0"))
  return box
}

function row(bar, whole) {
  const line = make("tr")
  const name = make("th", "", bar.name)
  name.scope = "row"
  const cell = make("td", "lane")
  const piece = make("div", "bar")
  piece.style.marginLeft = `${(100 * bar.start) / whole}%`
  piece.style.width = `max(2px, ${(100 * bar.seconds) / whole}%)`
  piece.title = `${bar.name}: from ${seconds(bar.start)}, took ${seconds(bar.seconds)}`
  cell.append(piece)
  const share = `${Math.round((100 * bar.seconds) / whole)}%`
  line.append(name, cell, make("td", "right", seconds(bar.seconds)), make("td", "right", share))
  return line
}
