// What the page really shows, read off the DOM: texts line by line, controls, icons, rows. Boxes in CSS pixels.
function readTruth(roles) {
  const CONTROLS = {
    button: 'button,[role=button],input[type=button],.btn', link: 'a[href]', tab: '[role=tab]', 'menu item': '[role=menuitem]',
    input: 'input:not([type=checkbox]):not([type=radio]),textarea,[role=textbox]', switch: '[role=switch]',
    checkbox: '[role=checkbox],input[type=checkbox],label:has(input[type=checkbox])', ...roles }
  const things = [], controls = new Map(), glyphs = {}
  const box = rect => [rect.left, rect.top, rect.right, rect.bottom]
  const inside = rect => rect.width >= 3 && rect.height >= 3 && rect.left >= 0 && rect.top >= 0 && rect.right <= innerWidth && rect.bottom <= innerHeight
  const drawn = element => element.checkVisibility({opacityProperty: true, visibilityProperty: true})
  function onTop(element, x, y) {
    const top = document.elementFromPoint(x, y)
    return !!top && (top === element || top.contains(element) || element.contains(top) || (controlOf(top) && controlOf(top) === controlOf(element)))
  }
  function seen(element, rect) {
    for (let each = element; each; each = each.parentElement) // cut by an ellipsis: the text goes on where nothing is drawn
      if (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).textOverflow === 'ellipsis') return false
    const y = (rect.top + rect.bottom) / 2
    return onTop(element, (rect.left + rect.right) / 2, y) && onTop(element, rect.left + 1.5, y) && onTop(element, rect.right - 1.5, y)
  }
  function roleOf(element) {
    // The library's own classes say it best, so the last rule that fits decides; a field beats the box around it.
    let found = null
    for (const [role, selector] of Object.entries(CONTROLS)) if (element.matches(selector)) found = role
    return found
  }
  function controlOf(element) {
    for (let each = element; each && each !== document.body; each = each.parentElement) if (roleOf(each)) return each
    return null
  }
  function add(thing) { thing.number = things.length; things.push(thing); return thing.number }
  function control(element) {
    if (!element) return null
    if (controls.has(element)) return controls.get(element)
    const rect = element.getBoundingClientRect()
    const usable = reaches(rect) && drawn(element)
    const disabled = element.disabled || element.getAttribute('aria-disabled') === 'true'
    const made = usable ? add({role: roleOf(element), text: '', box: box(rect), enabled: !disabled, clipped: !inside(rect) || !seen(element, rect)}) : null
    controls.set(element, made)
    return made
  }
  const reaches = rect => rect.width >= 3 && rect.height >= 3 && rect.right > 0 && rect.bottom > 0 && rect.left < innerWidth && rect.top < innerHeight
  function place(element, text, rect, extra) {
    if (!reaches(rect) || !drawn(element)) return
    const holder = control(controlOf(element))
    const of = holder === null ? null : things[holder]
    add({role: of ? of.role : 'text', text, box: of ? of.box : box(rect), label_box: box(rect), parent: holder, enabled: of ? of.enabled : null, clipped: !inside(rect) || !seen(element, rect), ...extra})
  }
  function lines(node) {
    const range = document.createRange(), found = []
    range.selectNodeContents(node)
    if (range.getClientRects().length === 1) return [[node.data.trim(), range.getBoundingClientRect()]]
    for (let index = 0; index < node.data.length; index++) {
      range.setStart(node, index); range.setEnd(node, index + 1)
      const rect = range.getBoundingClientRect(), last = found[found.length - 1]
      if (!rect.width) continue
      if (last && Math.abs(last[1].top - rect.top) < 3) { last[0] += node.data[index]; last[1] = new DOMRect(last[1].left, last[1].top, rect.right - last[1].left, last[1].height) }
      else found.push([node.data[index], rect])
    }
    return found.map(([words, rect]) => [words.trim(), rect])
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!node.data.trim() || !drawn(parent) || parent.matches('script,style,.f7-icons,.material-icons,option')) continue
    for (const [words, rect] of lines(node)) if (words) place(parent, words, rect, {})
  }
  const canvas = document.createElement('canvas').getContext('2d')
  for (const field of document.querySelectorAll('input:not([type=checkbox]):not([type=radio]),textarea')) {
    const words = field.value || field.placeholder, rect = field.getBoundingClientRect(), style = getComputedStyle(field)
    if (!words || !drawn(field)) continue
    canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
    const left = rect.left + parseFloat(style.paddingLeft) + parseFloat(style.borderLeftWidth)
    const size = parseFloat(style.fontSize), middle = (rect.top + rect.bottom) / 2
    place(field, words, new DOMRect(left, middle - size * .6, canvas.measureText(words).width, size * 1.2), {})
  }
  for (const each of document.querySelectorAll('svg, [data-icon-name], i[class*=icon], i[class*=mdi], .f7-icons')) {
    const rect = each.getBoundingClientRect()
    if (!reaches(rect) || rect.width < 9 || rect.width > 60 || (each.matches(':not(svg)') && each.querySelector('svg'))) continue
    let glyph = null
    if (each.matches('svg')) {
      glyph = [...each.querySelectorAll('path,circle,rect,polygon,polyline,line')].map(part => part.getAttribute('d') || part.outerHTML).join(' ')
      if (!glyph) continue
    } else glyph = each.matches('.f7-icons') ? each.textContent : [...each.classList].filter(name => /(icon|mdi|bi)-/.test(name)).join(' ')
    if (!glyph) continue
    if (each.matches('svg')) { const copy = each.cloneNode(true); copy.style.color = getComputedStyle(each).color; copy.style.fill = getComputedStyle(each).fill; glyphs[glyph] = copy.outerHTML }
    place(each, '', rect, {role: 'icon', glyph})
  }
  for (const selector of Object.values(CONTROLS)) for (const each of document.querySelectorAll(selector)) control(controlOf(each))
  const rows = [...document.querySelectorAll('[data-row]')].map(each => each.getBoundingClientRect()).filter(inside).map(box)
  return {things, rows, glyphs}
}

// One icon, px pixels wide, on nothing.
function showAlone(markup, px) {
  document.body.innerHTML = markup
  const svg = document.querySelector('svg')
  Object.assign(svg.style, {position: 'fixed', left: 0, top: 0, width: px + 'px', height: px + 'px', color: '#333', fill: 'currentColor'})
  svg.setAttribute('width', px); svg.setAttribute('height', px)
  document.body.style.background = document.documentElement.style.background = 'transparent'
}
