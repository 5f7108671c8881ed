// What the page really shows, read off the DOM and its open shadow trees. Boxes in CSS pixels; the picture is judged later.
const Truth = (() => {
  // role, selector[, part]: the last rule that fits wins; '' means none; `part` is what the box is taken of:
  // a selector inside, '::before', or '@field' for the nearest box that is painted around a bare field.
  const RULES = [
    ['link', 'a[href]'], ['button', 'button,[role=button],input[type=button],input[type=submit],input[type=reset],summary'],
    ['input', 'input:not([type]),input[type=text],input[type=search],input[type=password],input[type=email],input[type=number],input[type=tel],input[type=url],input[type=date],input[type=time],textarea,[role=textbox],[role=searchbox],[contenteditable=true]', '@field'],
    ['combo box', 'select,[role=combobox]', '@field'], ['slider', 'input[type=range],[role=slider]'],
    ['checkbox', 'input[type=checkbox],[role=checkbox]'], ['radio', 'input[type=radio],[role=radio]'],
    ['switch', '[role=switch],input[type=checkbox][role=switch]'], ['tab', '[role=tab]'],
    ['menu item', '[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio]'],
    ['list item', '[role=option],[role=treeitem]'], ['window', '[role=dialog],[role=alertdialog],dialog[open]'],
    ['image', 'img,canvas,video,picture>img'],
  ]
  const parentOf = node => node.assignedSlot || node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null)
  const holds = (outer, inner) => { for (let each = inner; each; each = parentOf(each)) if (each === outer) return true; return false }
  function* everything(root) {
    for (const each of root.children) {
      if (/^(SCRIPT|STYLE|LINK|META|TEMPLATE|NOSCRIPT|OPTION|OPTGROUP|HEAD)$/.test(each.tagName)) continue
      yield each
      if (each instanceof SVGElement) continue
      if (each.shadowRoot) yield* everything(each.shadowRoot)
      yield* everything(each)
    }
  }
  let styles, rules, anyRule, covers, shown, opaque
  const styleOf = element => styles.get(element) || (styles.set(element, getComputedStyle(element)), styles.get(element))
  function drawn(element) { // a box without a box is as visible as what it lies in
    let answer = shown.get(element)
    if (answer === undefined) {
      if (styleOf(element).display === 'contents') { const parent = parentOf(element); answer = !parent || drawn(parent) }
      else answer = element.checkVisibility({opacityProperty: true, visibilityProperty: true})
      shown.set(element, answer)
    }
    return answer
  }
  function opacityOf(element) {
    if (!element) return 1
    let answer = opaque.get(element)
    if (answer === undefined) opaque.set(element, answer = +styleOf(element).opacity * opacityOf(parentOf(element)))
    return answer
  }
  const alpha = color => { const parts = color.match(/[\d.]+%?/g) || []; return /^rgba|\//.test(color) && parts.length > 3 ? parseFloat(parts[3]) : color === 'transparent' ? 0 : 1 }

  // How much an element itself hides what lies below it, 0 to 1.
  function cover(element) {
    if (covers.has(element)) return covers.get(element)
    const style = styleOf(element)
    let share = 0
    if (!drawn(element)) share = 0
    else if (/^(IMG|CANVAS|VIDEO|IFRAME)$/.test(element.tagName)) share = 1
    else {
      share = alpha(style.backgroundColor)
      if (style.backgroundImage !== 'none' && !/gradient\(.*(transparent|rgba)/.test(style.backgroundImage)) share = 1
      share *= opacityOf(element)
    }
    covers.set(element, share)
    return share
  }
  function stackAt(x, y) { // elementsFromPoint through open shadow roots
    const found = []
    const dig = root => {
      for (const each of root.elementsFromPoint(x, y)) {
        if (found.includes(each)) continue
        if (each.shadowRoot && each.shadowRoot !== root) { const inner = each.shadowRoot.elementsFromPoint(x, y); if (inner.length && inner[0] !== each && holds(each, inner[0])) dig(each.shadowRoot) }
        if (!found.includes(each)) found.push(each)
      }
    }
    dig(document)
    return found
  }
  function clipOf(element, rect) {
    let left = Math.max(0, rect.left), top = Math.max(0, rect.top), right = Math.min(innerWidth, rect.right), bottom = Math.min(innerHeight, rect.bottom)
    let position = styleOf(element).position
    for (let each = parentOf(element); each && each !== document.body && each !== document.documentElement; each = parentOf(each)) {
      const style = styleOf(each)
      if (position === 'fixed') { if (style.transform === 'none' && style.filter === 'none' && style.contain === 'none') continue; position = 'static' }
      if (position === 'absolute' && style.position === 'static' && style.transform === 'none') continue
      if (position === 'absolute') position = 'static'
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
        const box = each.getBoundingClientRect()
        if (style.display !== 'contents' && style.display !== 'inline') {
          left = Math.max(left, box.left + each.clientLeft); top = Math.max(top, box.top + each.clientTop)
          right = Math.min(right, box.left + each.clientLeft + each.clientWidth); bottom = Math.min(bottom, box.top + each.clientTop + each.clientHeight)
        }
      }
      if (style.position === 'fixed' || style.position === 'absolute') position = style.position
    }
    return {left, top, right, bottom, width: right - left, height: bottom - top}
  }
  // The visible part of a rectangle of an element, how much that is, and whether something translucent lies over it.
  function seen(element, rect, group, few) {
    const clip = clipOf(element, rect)
    if (clip.width < 2 || clip.height < 2) return null
    const at = (i, j) => { // 0 where something hides it, 1 where it lies open, 2 under a veil
      const x = clip.left + 1 + (clip.width - 2) * i, y = clip.top + 1 + (clip.height - 2) * j
      const top = document.elementFromPoint(x, y) // nearly always the answer, and much cheaper than the whole stack
      if (top && (holds(element, top) || holds(top, element))) return 1
      let veil = 1
      for (const each of stackAt(x, y)) {
        if (each === element || holds(element, each) || holds(each, element)) break
        if (group && holds(group, each)) continue
        const share = cover(each)
        if (share > .85 || (share > .1 && styleOf(each).backdropFilter.includes('blur'))) return 0
        if (share > .12) veil = 2
      }
      return veil
    }
    const quick = (few ? [[.06, .5], [.94, .5]] : [[.5, .5], [.08, .1], [.92, .1], [.08, .9], [.92, .9]]).map(([i, j]) => at(i, j))
    if (quick.every(each => each === quick[0])) {
      if (!quick[0]) return null
      return {box: [clip.left, clip.top, clip.right, clip.bottom], visible: Math.min(1, clip.width * clip.height / Math.max(1, rect.width * rect.height)), covered: quick[0] === 2}
    }
    const across = clip.width > 60 ? 6 : 3, down = clip.height > 60 ? 5 : few ? 1 : 2
    const free = []
    let dimmed = 0
    for (let i = 0; i < across; i++) for (let j = 0; j < down; j++) {
      const seen = at((i + .5) / across, (j + .5) / down)
      if (seen) { free.push([i, j]); dimmed += seen === 2 }
    }
    if (!free.length) return null
    const whole = Math.max(1, rect.width * rect.height), open = free.length / (across * down)
    let box = clip
    if (open < 1) {
      const is = free.map(each => each[0]), js = free.map(each => each[1]), w = clip.width / across, hh = clip.height / down
      box = {left: clip.left + Math.min(...is) * w, right: clip.left + (Math.max(...is) + 1) * w, top: clip.top + Math.min(...js) * hh, bottom: clip.top + (Math.max(...js) + 1) * hh}
    }
    return {box: [box.left, box.top, box.right, box.bottom], visible: Math.min(1, open * clip.width * clip.height / whole), covered: dimmed > free.length / 2}
  }
  function ruleOf(element) {
    const own = element.getAttribute('data-ui')
    if (own !== null) return own === 'none' ? null : [own, '', element.getAttribute('data-part') || '']
    if (!element.matches(anyRule)) return null
    let found = null
    for (const rule of rules) if (element.matches(rule[1])) found = rule
    return found && found[0] ? found : null
  }
  const painted = element => {
    const style = styleOf(element)
    const sides = ['Top', 'Right', 'Bottom', 'Left'].filter(side => parseFloat(style[`border${side}Width`]) > 0 && alpha(style[`border${side}Color`]) > 0.04 && style[`border${side}Style`] !== 'none').length
    return sides > 0 || alpha(style.backgroundColor) > 0.02 || style.boxShadow !== 'none'
  }
  const FIELDS = 'input,select,textarea,[role=combobox],[role=textbox]'
  function fieldBox(element) {
    if (element.tagName !== 'INPUT' && element.tagName !== 'TEXTAREA' && !element.matches('[role=combobox]')) return element
    if (painted(element)) return element
    const own = element.getBoundingClientRect()
    let each = parentOf(element)
    for (let level = 0; each && level < 7 && each !== document.body; level++, each = parentOf(each)) {
      const box = each.getBoundingClientRect()
      if (styleOf(each).display === 'contents' || box.width < 1) continue
      if (box.height > Math.max(own.height * 2.6, own.height + 40) || box.width > own.width * 2 + 120) break
      if (each.querySelectorAll && [...each.querySelectorAll(FIELDS)].filter(other => other !== element && !holds(other, element) && other.getBoundingClientRect().width > 30).length) break
      if (painted(each)) return each
    }
    return element
  }
  function pseudoBox(element, which) {
    const style = getComputedStyle(element, which), around = element.getBoundingClientRect()
    const width = parseFloat(style.width), height = parseFloat(style.height)
    const border = style.boxSizing === 'border-box' ? [0, 0] : [parseFloat(style.borderLeftWidth) + parseFloat(style.borderRightWidth) + parseFloat(style.paddingLeft) + parseFloat(style.paddingRight), parseFloat(style.borderTopWidth) + parseFloat(style.borderBottomWidth) + parseFloat(style.paddingTop) + parseFloat(style.paddingBottom)]
    const left = around.left + element.clientLeft + (parseFloat(style.left) || 0) + (parseFloat(style.marginLeft) || 0), top = around.top + element.clientTop + (parseFloat(style.top) || 0) + (parseFloat(style.marginTop) || 0)
    return new DOMRect(left, top, width + border[0], height + border[1])
  }
  function rectOf(element, part) {
    if (part === '@field') return fieldBox(element).getBoundingClientRect()
    if (part && part.startsWith('::')) return pseudoBox(element, part)
    if (part) { const inner = element.matches(part) ? element : element.querySelector(part) || (element.shadowRoot && element.shadowRoot.querySelector(part)); if (inner) return inner.getBoundingClientRect() }
    const rect = element.getBoundingClientRect()
    if (rect.width > 2 && rect.height > 2 && styleOf(element).display !== 'inline') return rect
    if (styleOf(element).display === 'inline' && element.getClientRects().length > 1 && parentOf(element).textContent.trim() !== element.textContent.trim()) return [...element.getClientRects()].reduce((a, b) => (a.width > b.width ? a : b))
    return rect
  }
  function stateOf(element, role) {
    const states = []
    const inner = element.matches('input') ? element : element.querySelector('input') || (element.shadowRoot && element.shadowRoot.querySelector('input'))
    const told = name => element.getAttribute(name) || (inner && inner.getAttribute(name))
    const classes = typeof element.className === 'string' ? element.className : ''
    if (element.disabled || told('aria-disabled') === 'true' || (inner && inner.disabled) || /(^|[-_ ])disabled\b/.test(classes)) states.push('disabled')
    if (/checkbox|radio|switch/.test(role)) {
      const on = element.dataset.on !== undefined ? element.dataset.on === 'true' : told('aria-checked') ? told('aria-checked') === 'true' : inner ? inner.checked : element.checked === true || /(^|[-_ ])(is-)?(checked|active|on)\b/.test(classes)
      states.push(role === 'switch' ? (on ? 'on' : 'off') : on ? 'checked' : 'unchecked')
    } else if (told('aria-selected') === 'true' || told('aria-current') || /(^|[-_ ])(is-)?(active|selected|current)\b/.test(classes)) states.push('selected')
    return states.join(' ')
  }
  function glyphBox(svg) { // what is filled or stroked, not the empty frame around it
    let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity
    for (const part of svg.querySelectorAll('path,circle,rect,polygon,polyline,line,ellipse,use,image,text')) {
      if (part.closest('defs,clipPath,mask,symbol,linearGradient,radialGradient,filter')) continue
      const style = getComputedStyle(part)
      const stroke = style.stroke !== 'none' && parseFloat(style.strokeWidth) > 0 ? parseFloat(style.strokeWidth) / 2 : 0
      if (style.fill === 'none' && !stroke && part.tagName !== 'image') continue
      let own, matrix
      try { own = part.getBBox(); matrix = part.getScreenCTM() } catch { continue }
      if (!matrix || (!own.width && !own.height)) continue
      for (const [x, y] of [[own.x - stroke, own.y - stroke], [own.x + own.width + stroke, own.y - stroke], [own.x - stroke, own.y + own.height + stroke], [own.x + own.width + stroke, own.y + own.height + stroke]]) {
        const px = matrix.a * x + matrix.c * y + matrix.e, py = matrix.b * x + matrix.d * y + matrix.f
        left = Math.min(left, px); right = Math.max(right, px); top = Math.min(top, py); bottom = Math.max(bottom, py)
      }
    }
    const frame = svg.getBoundingClientRect()
    if (left === Infinity) return frame
    left = Math.max(left, frame.left); top = Math.max(top, frame.top); right = Math.min(right, frame.right); bottom = Math.min(bottom, frame.bottom)
    return right - left < 1 || bottom - top < 1 ? frame : new DOMRect(left, top, right - left, bottom - top)
  }
  function lines(node) {
    const range = document.createRange(), found = []
    range.selectNodeContents(node)
    const rects = range.getClientRects()
    if (!rects.length) return []
    if (rects.length === 1) return [[node.data.trim(), rects[0]]]
    for (let index = 0; index < node.data.length; index++) {
      range.setStart(node, index); range.setEnd(node, index + 1)
      const rect = range.getBoundingClientRect(), last = found[found.length - 1]
      if (!rect.width) { if (last) last[0] += node.data[index]; continue }
      if (last && Math.abs(last[1].top - rect.top) < 3) { last[0] += node.data[index]; const right = Math.max(last[1].right, rect.right), left = Math.min(last[1].left, rect.left); last[1] = new DOMRect(left, last[1].top, right - left, last[1].height) }
      else found.push([node.data[index], rect])
    }
    return found.map(([text, rect]) => [text.trim(), rect])
  }
  const canvas = document.createElement('canvas').getContext('2d')
  function fieldText(field) {
    let text = field.tagName === 'SELECT' ? (field.selectedOptions[0] || {}).text : field.type === 'password' ? '•'.repeat(field.value.length) || field.placeholder : field.value || field.placeholder
    if (!text || (field.tagName === 'INPUT' && /^(checkbox|radio|range|button|submit|reset|color|file|hidden)$/.test(field.type))) return null
    if (field.tagName === 'TEXTAREA') text = text.split('\n')[0]
    const style = styleOf(field), rect = field.getBoundingClientRect(), size = parseFloat(style.fontSize)
    canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
    const room = rect.width - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight), width = Math.min(canvas.measureText(text).width, room)
    const start = rect.left + parseFloat(style.borderLeftWidth) + parseFloat(style.paddingLeft)
    const left = style.textAlign === 'center' ? start + (room - width) / 2 : /right|end/.test(style.textAlign) ? start + room - width : start
    const middle = field.tagName === 'TEXTAREA' ? rect.top + parseFloat(style.paddingTop) + size * .7 : (rect.top + rect.bottom) / 2
    return [text, new DOMRect(left, middle - size * .6, width, size * 1.2)]
  }
  function read(options) {
    styles = new Map(); covers = new Map(); shown = new Map(); opaque = new Map(); rules = [...RULES, ...(options.rules || [])]; anyRule = rules.map(rule => rule[1]).join(',')
    const found = [], of = new Map(), iconSelector = options.icons || ''
    const nearest = element => { for (let each = element; each; each = parentOf(each)) if (of.has(each)) return of.get(each); return null }
    const add = (element, role, rect, more, group) => {
      if (!(rect.width >= 2 && rect.height >= 2) || rect.right <= 0 || rect.bottom <= 0 || rect.left >= innerWidth || rect.top >= innerHeight) return null
      const view = seen(element, rect, group, role === 'text')
      if (!view) return null
      const style = styleOf(element)
      const state = stateOf(element, role)
      const full = [rect.left, rect.top, rect.right, rect.bottom]
      found.push({role, box: view.box, full, visible: view.visible, covered: view.covered, state, text: '', name: '', parent: null, interactive: !/text|image|icon|window/.test(role) && !/disabled/.test(state), pointer: style.cursor === 'pointer', tight: false, ...more})
      return found.length - 1
    }
    for (const element of everything(document.body)) {
      const parent = parentOf(element)
      const glyph = element.tagName === 'svg' || (iconSelector && element.matches(iconSelector))
      if (glyph) {
        if (element.closest('[data-ui=none]') || (element.tagName !== 'svg' && element.querySelector('svg')) || !drawn(element)) continue
        const frame = element.getBoundingClientRect()
        if (frame.width < 5 || frame.height < 5) continue
        const large = frame.width > 72 || frame.height > 72
        const index = add(element, large ? 'image' : 'icon', element.tagName === 'svg' ? glyphBox(element) : frame, {tight: !large, name: element.getAttribute('data-icon') || '', set: element.getAttribute('data-set') || ''}, parent)
        if (index !== null) { found[index].parent = nearest(parent); of.set(element, index) }
        continue
      }
      const rule = ruleOf(element)
      if (rule) {
        const [told, , part] = rule
        const small = told === 'image' && !element.hasAttribute('data-ui') && element.getBoundingClientRect().width <= 26
        const role = small ? 'icon' : told
        let rect = rectOf(element, part), tight = /@tight/.test(rule[3] || '') || element.hasAttribute('data-tight') || small
        if (role === 'slider' && element.type === 'range' && rect.height < 14) { rect = new DOMRect(rect.left - 4, rect.top - 10, rect.width + 8, rect.height + 20); tight = true } // its knob stands out of it
        const shown = part && !part.startsWith('@') ? true : drawn(element)
        const group = part === '@field' ? fieldBox(element) : part ? element : /^(checkbox|radio|switch)$/.test(role) ? parent : null
        if (shown && drawn(parent || element)) {
          const index = add(element, role, rect, {tight}, group)
          if (index !== null) {
            found[index].parent = nearest(parent)
            if (group && part === '@field') found[index].clickable = true
            of.set(element, index)
            if (part === '@field' && !of.has(group)) of.set(group, index)
          }
        }
      }
      if (element.matches('input,textarea,select') && drawn(element)) {
        const text = fieldText(element)
        if (text) { const index = add(element, 'text', text[1], {text: text[0]}, fieldBox(element)); if (index !== null) { found[index].parent = nearest(element); if (found[index].parent !== null && !found[found[index].parent].text) found[found[index].parent].text = text[0] } }
      }
      const style = styleOf(element)
      if (/auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1 && drawn(element)) {
        const box = element.getBoundingClientRect(), thick = box.width - element.clientWidth - parseFloat(style.borderLeftWidth) - parseFloat(style.borderRightWidth)
        if (thick >= 4 && element !== document.body) { const right = box.right - parseFloat(style.borderRightWidth); add(element, 'scroll bar', new DOMRect(right - thick, box.top + element.clientTop, thick, element.clientHeight), {}) }
      }
      if (/auto|scroll/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1 && element !== document.body && drawn(element)) {
        const box = element.getBoundingClientRect(), thick = box.height - element.clientHeight - parseFloat(style.borderTopWidth) - parseFloat(style.borderBottomWidth)
        if (thick >= 4) { const bottom = box.bottom - parseFloat(style.borderBottomWidth); add(element, 'scroll bar', new DOMRect(box.left + element.clientLeft, bottom - thick, element.clientWidth, thick), {}) }
      }
      if (!drawn(element) || element.closest('[data-silent]')) continue
      for (const node of element.childNodes) if (node.nodeType === 3 && node.data.trim()) for (const [text, rect] of lines(node)) {
        if (!text || /^[\ue000-\uf8ff]+$/.test(text)) continue
        const index = add(element, 'text', rect, {text})
        if (index === null) continue
        found[index].parent = nearest(element)
        for (let each = element; each; each = parentOf(each)) if (of.has(each) && of.get(each) !== index) { const holder = found[of.get(each)]; if (holder.role !== 'window' && holder.text.length < 80) holder.text = (holder.text ? holder.text + ' ' : '') + text; break }
      }
    }
    const wide = document.documentElement.clientWidth, high = document.documentElement.clientHeight
    const bar = box => found.push({role: 'scroll bar', box, full: box, visible: 1, covered: false, state: '', text: '', name: '', parent: null, interactive: true, pointer: false, tight: false})
    if (innerWidth - wide >= 4) bar([wide, 0, innerWidth, high])
    if (innerHeight - high >= 4) bar([0, high, wide, innerHeight])
    return found
  }
  return {read}
})()
