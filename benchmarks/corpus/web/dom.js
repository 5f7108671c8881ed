// Plain elements, for libraries that are style sheets.
function h(tag, about, ...kids) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(about || {})) {
    if (name === 'style') Object.assign(node.style, value)
    else if (value !== false && value !== undefined) node.setAttribute(name, value === true ? '' : value)
  }
  node.append(...kids.flat().filter(kid => kid !== null && kid !== undefined))
  return node
}
