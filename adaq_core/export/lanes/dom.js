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
