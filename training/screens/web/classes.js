// A library that is a style sheet: native elements with its classes. What `names` leaves out stays bare or hand-made.
function classed(names, more) {
  const one = value => Array.isArray(value) ? pick(value) : value || ''
  const bare = names.bare // a classless sheet: every control is the native element
  const kindOf = kind => one((names.button || {})[kind] ?? (names.button || {}).default)
  const made = {
    rules: names.rules || [], icons: names.icons || '',
    button: ({text, icon: glyph, kind = 'default', disabled}) => h('button', {type: 'button', class: `${kindOf(kind)} ${one(names.sizes)}`, disabled}, glyph && icon(glyph, 15, {marginRight: '6px', verticalAlign: '-2px'}), text),
    iconButton: ({icon: glyph, kind = 'default', badge}) => chance(names.ownIconButtons ?? .6) ? h('button', {type: 'button', class: one(names.iconButton) || kindOf(kind === 'primary' ? 'primary' : pick(['default', 'text'])), style: names.tightIcons ? {padding: '6px 9px', minWidth: 0, lineHeight: 1} : {}}, icon(glyph, 16)) : plain.iconButton({icon: glyph, kind, badge}),
    link: text => h('a', {href: '#', class: one(names.link)}, text),
    input({hint, value, icon: glyph, trailing, type = 'text'}) {
      const field = h('input', {type, placeholder: hint, value, class: one(names.input), style: {minWidth: 0, margin: 0}})
      if (!(glyph || trailing)) return names.inputWrap ? h('div', {class: one(names.inputWrap), style: {flex: '1 1 auto'}}, field) : field
      if (names.iconField) return names.iconField(field, glyph || trailing, !glyph)
      Object.assign(field.style, {[glyph ? 'paddingLeft' : 'paddingRight']: '36px', width: '100%', boxSizing: 'border-box'})
      return h('div', {style: {position: 'relative', flex: '1 1 auto', minWidth: 0}}, field, h('span', {style: {position: 'absolute', top: '50%', transform: 'translateY(-50%)', [glyph ? 'left' : 'right']: '11px', color: Theme.muted, lineHeight: 0}}, icon(glyph || trailing, 16)))
    },
    textarea: ({hint, value, rows = 3}) => h('textarea', {rows, placeholder: hint, '.value': value || '', class: one(names.textarea || names.input), style: {margin: 0, width: '100%'}}),
    select({value, options}) { const made = h('select', {class: one(names.select), style: {margin: 0, minWidth: '90px'}}, (options || [value]).map(each => h('option', {}, each))); return names.selectWrap ? h('div', {class: names.selectWrap, style: {flex: 1}}, made) : made },
  }
  if (names.check || bare) made.mark = (role, label, on, disabled) => names.check ? names.check(role, label, on, disabled) : h('label', {style: {display: 'inline-flex', alignItems: 'center', gap: '7px', margin: 0}}, h('input', {type: role, '.checked': on, disabled, style: {margin: 0, flex: 'none'}}), label)
  if (names.toggle) made.toggle = ({on, disabled}) => names.toggle(on, disabled)
  if (names.slider !== undefined) made.slider = ({value}) => h('input', {type: 'range', '.value': value, class: names.slider, style: {minWidth: '80px', margin: 0}})
  if (names.tabs) made.tabs = ({names: titles, active, icons}) => names.tabs(titles.map((title, index) => ({title, on: index === active, glyph: icons && icon(icons[index], 15, {marginRight: '6px'})})))
  if (names.pages) made.pages = ({count, active}) => names.pages(['‹', ...times(count, index => String(index + 1)), '›'].map((title, index) => ({title, on: index === active + 1})))
  if (names.crumbs) made.crumbs = titles => names.crumbs(titles)
  if (names.chip) made.chip = ({text, closable}) => names.chip(text, closable)
  if (names.progress) made.progress = value => names.progress(value)
  if (names.alert) made.alert = text => names.alert(text)
  if (names.menu) made.menu = ({items, horizontal, active}) => names.menu(items.map((each, index) => ({...each, on: index === active, glyph: each.icon && icon(each.icon, 17, {marginRight: '9px', verticalAlign: '-3px'})})), horizontal)
  if (names.listItem) made.list = ({items}) => h(names.listTag || 'div', {class: one(names.list)}, items.map(each => names.listItem(each, plain.listInner(each, ui))))
  if (names.table !== undefined || bare) made.table = function ({columns, rows, checks, actions}) { return h('table', {class: one(names.table), style: {width: '100%', margin: 0}}, h('thead', {}, h('tr', {}, checks && h('th', {}, this.check({on: false})), columns.map(name => h('th', {}, name)))), h('tbody', {}, rows.map(each => h('tr', {}, checks && h('td', {}, this.check({on: chance(.4)})), each.map(value => h('td', {}, value)), actions && h('td', {}, row({}, actions())))))) }
  if (names.card) made.card = ({title, extra, body, foot}) => names.card(title && row({}, h('div', {style: {flex: 1, minWidth: 0}}, title), extra), body, foot && row({}, foot))
  if (names.dialog) made.dialog = about => names.dialog(about)
  if (names.popup) made.popup = ({items}) => names.popup(items.map(each => ({...each, glyph: each.icon && icon(each.icon, 16, {marginRight: '8px', verticalAlign: '-3px'})})))
  if (names.accordion) made.accordion = ({items}) => h('div', {}, items.map(each => names.accordion(each)))
  if (names.begin) made.begin = names.begin
  return Object.assign(Object.create(plain), made, more || {})
}
const mask = (node, style) => h('div', {style: {position: 'fixed', inset: 0, zIndex: 900, background: `rgba(0,0,0,${pick([.3, .5])})`, display: 'flex', alignItems: 'center', justifyContent: 'center', ...style}}, node)
