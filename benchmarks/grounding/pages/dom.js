// Elements and text of the page as rendered in the viewport: {elements: [...], texts: [...], passages: [...]}.
// An element counts as visible when its whole face lies in the viewport and the point in its middle belongs to it.
() => {
  const width = innerWidth, height = innerHeight
  const clean = text => (text || '').replace(/[\s\u00a0]+/g, ' ').replace(/[\s¶]+$/u, '').trim()
  const shown = element => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
  const edges = rects => [...rects].filter(r => r.width >= 2 && r.height >= 2).map(r => [r.left, r.top, r.right, r.bottom])
  const inside = ([l, t, r, b]) => l >= 0 && t >= 0 && r <= width && b <= height
  const touches = ([l, t, r, b]) => r > 0 && b > 0 && l < width && t < height
  const hits = (element, [l, t, r, b]) => {
    const top = document.elementFromPoint((l + r) / 2, (t + b) / 2)
    return !!top && (element === top || element.contains(top))
  }
  const lines = boxes => {  // fragments of one line of text become one box
    const merged = []
    for (const box of boxes) {
      const line = merged.find(other => Math.min(other[3], box[3]) - Math.max(other[1], box[1]) > (box[3] - box[1]) / 2 &&
        box[0] - other[2] < 12 && other[0] - box[2] < 12)
      if (line) [0, 1, 2, 3].forEach(i => { line[i] = (i < 2 ? Math.min : Math.max)(line[i], box[i]) })
      else merged.push([...box])
    }
    return merged
  }
  const textBoxes = element => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), boxes = []
    while (walker.nextNode()) {
      if (!walker.currentNode.data.trim() || !shown(walker.currentNode.parentElement)) continue
      if (walker.currentNode.data.trim() === '¶') continue
      const range = document.createRange()
      range.selectNodeContents(walker.currentNode)
      boxes.push(...edges(range.getClientRects()))
    }
    return lines(boxes)
  }
  const ROLES = [
    ['tab', '[role=tab]'], ['button', 'button,summary,[role=button],input[type=submit],input[type=button],input[type=reset]'],
    ['combo box', 'select'], ['input', 'input:not([type]),input[type=text],input[type=search],textarea'],
    ['checkbox', 'input[type=checkbox]'], ['radio', 'input[type=radio]'],
    ['link', 'a[href]'], ['heading', 'h1,h2,h3,h4,h5,h6'], ['image', 'img'],
  ]
  const describe = (element, role) => {
    let text = clean(element.innerText), boxes, painted = true
    if (role === 'input') text = clean(element.placeholder)
    if (role === 'image') text = clean(element.alt)
    if (element.matches('input[type=submit],input[type=button],input[type=reset]')) text = clean(element.value)
    if (role === 'link' || role === 'heading') boxes = textBoxes(element)
    const written = boxes && boxes.some(touches)
    const picture = element.querySelector('img')
    if (role === 'link' && (!boxes || !boxes.length) && picture) {
      text = clean(picture.alt); boxes = edges([picture.getBoundingClientRect()]); painted = false
    }
    if (role === 'image' || (boxes && !boxes.some(touches))) painted = false
    // All of a link takes a click, an arrow in its background too.
    const whole = role === 'link' && written ? lines(edges(element.getClientRects())) : []
    if (whole.some(touches) && (whole.every(inside) || !boxes.every(inside))) boxes = whole
    if (!boxes || !boxes.some(touches)) boxes = edges([element.getBoundingClientRect()])
    if (role === 'heading' && boxes.length > 1) boxes = [[
      Math.min(...boxes.map(b => b[0])), Math.min(...boxes.map(b => b[1])),
      Math.max(...boxes.map(b => b[2])), Math.max(...boxes.map(b => b[3]))]]
    return { role, text, boxes, painted }
  }
  const elements = [], found = [], seen = new Set()
  for (const [role, selector] of ROLES) for (const element of document.querySelectorAll(selector)) {
    if (seen.has(element) || !shown(element) || (role === 'image' && !element.naturalWidth)) continue
    seen.add(element)
    const each = describe(element, role)
    if (!each.boxes.length || !each.boxes.some(touches)) continue
    each.visible = each.boxes.every(box => inside(box) && hits(element, box))
    elements.push(each)
    found.push([element, each])
  }
  // Part of a longer line: other text stands right beside it on the same line.
  const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), strips = []
  while (all.nextNode()) {
    if (!all.currentNode.data.trim()) continue
    const range = document.createRange()
    range.selectNodeContents(all.currentNode)
    for (const box of edges(range.getClientRects())) if (touches(box)) strips.push([all.currentNode, box])
  }
  const beside = ([l, t, r, b], [left, top, right, bottom]) => Math.min(b, bottom) - Math.max(t, top) > (b - t) / 2 &&
    Math.max(left - r, l - right) < b - t
  found.forEach(([element, each]) => {
    each.part = each.boxes.some(box => strips.some(([node, other]) => !element.contains(node) && beside(box, other)))
  })
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
  const texts = [], passages = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement
    if (!walker.currentNode.data.trim() || !parent.innerText || !shown(parent)) continue
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    const boxes = edges(range.getClientRects()), text = walker.currentNode.data.replace(/\s+/g, ' ')
    if (boxes.some(touches)) texts.push(text)
    if (boxes.length && boxes.every(box => inside(box) && hits(parent, box))) {
      const label = !!parent.closest('a[href],button,summary,h1,h2,h3,h4,h5,h6')
      passages.push({ label, pieces: [...segmenter.segment(text.trim())].map(each => each.segment) })
    }
  }
  return { elements, texts, passages }
}
