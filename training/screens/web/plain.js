// Controls drawn by hand in the theme's shapes, as pages without a library have them; a library replaces what it has.
const clickable = {cursor: 'pointer', userSelect: 'none'}
const caret = size => Theme.arrow === 'icon' && Stage.named.down ? icon('down', size || 14) : h('span', {'data-ui': 'icon', 'data-tight': true, style: Theme.arrow === 'triangle'
  ? {width: 0, height: 0, borderLeft: '5px solid transparent', borderRight: '5px solid transparent', borderTop: '6px solid currentColor', flex: 'none'}
  : {width: '7px', height: '7px', borderRight: '1.5px solid currentColor', borderBottom: '1.5px solid currentColor', transform: 'rotate(45deg)', margin: '-3px 3px 0', flex: 'none'}})
const arrow = () => h('span', {'data-ui': 'icon', 'data-tight': true, style: {width: '8px', height: '8px', borderRight: '1.6px solid ' + Theme.muted, borderTop: '1.6px solid ' + Theme.muted, transform: 'rotate(45deg)', margin: '0 4px', flex: 'none'}})
const fieldStyle = () => ({
  box: {border: `1px solid ${Theme.line}`, borderRadius: Theme.radius + 'px', background: Theme.field},
  underline: {borderBottom: `1px solid ${Theme.muted}`, background: 'transparent'},
  filled: {background: Theme.dark ? '#ffffff1c' : '#00000010', borderRadius: Theme.radius + 'px', border: '1px solid transparent'},
  pill: {border: `1px solid ${Theme.line}`, borderRadius: '99px', background: Theme.field},
  sunken: {border: '2px inset #999', background: Theme.field},
  bare: {background: Theme.surface, boxShadow: `0 0 0 1px ${Theme.line}`, borderRadius: Theme.radius + 'px'},
})[Theme.input]

const plain = {
  rules: [], icons: '',
  begin() {}, end() {},
  button({text, icon: glyph, kind = 'default', disabled, trailing}) {
    const shape = Theme.button, loud = kind === 'primary', color = kind === 'danger' ? Theme.danger : Theme.accent
    const style = {display: 'inline-flex', alignItems: 'center', justifyContent: 'center', gap: '6px', padding: `${px(7)} ${px(15)}`, font: 'inherit', border: '1px solid transparent', borderRadius: shape === 'pill' ? '99px' : shape === 'square' ? '0' : Theme.radius + 'px', background: 'transparent', color: Theme.fg, whiteSpace: 'nowrap', flex: 'none', ...clickable}
    if (loud || kind === 'danger') Object.assign(style, shape === 'outline' ? {borderColor: color, color} : shape === 'text' ? {color} : shape === 'gradient' ? {background: `linear-gradient(${color}, color-mix(in srgb, ${color} 70%, black))`, color: Theme.onAccent} : {background: color, color: Theme.onAccent})
    else if (kind === 'text') style.color = chance(0.5) ? Theme.accent : Theme.fg
    else Object.assign(style, shape === 'soft' || shape === 'filled' ? {background: `color-mix(in srgb, ${Theme.fg} 12%, transparent)`} : shape === 'raised' ? {background: Theme.surface, boxShadow: '0 1px 3px rgba(0,0,0,.35)'} : {borderColor: Theme.line, background: Theme.surface})
    if (disabled) style.opacity = '.45'
    const tag = pick(['button', 'button', 'div', 'a'])
    return h(tag, {'data-ui': 'button', disabled: disabled && tag === 'button', 'aria-disabled': disabled ? 'true' : null, style}, glyph && icon(glyph, Theme.size + 3), text, trailing && caret())
  },
  iconButton({icon: glyph, kind = 'default', badge, size}) {
    const shape = kind === 'primary' ? 'filled' : Theme.iconButton, edge = size || Stage.iconSize + int(4, 18)
    const style = {display: 'inline-flex', alignItems: 'center', justifyContent: 'center', width: edge + 'px', height: edge + 'px', padding: 0, border: '1px solid transparent', background: 'transparent', color: pick([Theme.fg, Theme.fg, Theme.muted, Theme.accent]), borderRadius: shape === 'round' ? '50%' : Theme.radius + 'px', position: 'relative', flex: 'none', ...clickable}
    if (shape === 'outline') style.borderColor = Theme.line
    if (shape === 'soft' || shape === 'round') style.background = `color-mix(in srgb, ${Theme.fg} 10%, transparent)`
    if (shape === 'filled') Object.assign(style, {background: Theme.accent, color: Theme.onAccent, borderRadius: chance(0.5) ? '50%' : style.borderRadius})
    const mark = badge && h('span', {style: {position: 'absolute', top: '-3px', right: '-3px', background: '#e33', color: '#fff', borderRadius: '9px', fontSize: '10px', lineHeight: '15px', minWidth: '9px', padding: '0 3px', textAlign: 'center'}}, typeof badge === 'string' ? badge : '')
    return h(pick(['button', 'button', 'div', 'span']), {'data-ui': 'button', style}, icon(glyph, size ? size * .55 : 0), mark)
  },
  link: text => h('a', {href: '#', style: Theme.link}, text),
  input({hint, value, icon: glyph, trailing, type = 'text', width}) {
    const field = h('input', {type, placeholder: hint, value, style: {font: 'inherit', color: 'inherit', border: 0, outline: 0, background: 'transparent', flex: 1, minWidth: 0, width: '100%', padding: 0}})
    return row({gap: '8px', padding: `${px(7)} ${px(11)}`, flex: '1 1 auto', width, boxSizing: 'border-box', ...fieldStyle()}, glyph && icon(glyph, Theme.size + 3, {color: Theme.muted}), field, trailing && icon(trailing, Theme.size + 3, {color: Theme.muted, ...clickable}))
  },
  textarea: ({hint, value, rows = 3}) => h('textarea', {rows, placeholder: hint, '.value': value || '', style: {font: 'inherit', color: 'inherit', width: '100%', boxSizing: 'border-box', padding: px(9), border: 0, resize: 'none', outline: 0, ...fieldStyle(), ...(Theme.input === 'pill' ? {borderRadius: '12px'} : {})}}),
  select({value, options}) {
    if (chance(0.35)) return h('select', {style: {font: 'inherit', color: 'inherit', padding: `${px(6)} ${px(9)}`, flex: '1 1 auto', minWidth: '80px', ...fieldStyle(), background: Theme.field}}, (options || [value]).map(each => h('option', {}, each)))
    return h('div', {'data-ui': 'combo box', style: {display: 'flex', alignItems: 'center', gap: '10px', padding: `${px(7)} ${px(11)}`, flex: '1 1 auto', minWidth: '90px', boxSizing: 'border-box', ...fieldStyle(), ...clickable}}, h('span', {style: {flex: 1, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap'}}, value), caret())
  },
  check({label, on, disabled}) { return this.mark('checkbox', label, on, disabled) },
  radio({label, on, disabled}) { return this.mark('radio', label, on, disabled) },
  mark(role, label, on, disabled) {
    const shape = Theme[role === 'radio' ? 'radio' : 'check'], edge = int(13, 22)
    let box
    if (shape === 'native') box = h('input', {type: role, '.checked': on, disabled, style: {width: edge + 'px', height: edge + 'px', margin: 0, accentColor: Theme.accent, flex: 'none'}})
    else {
      const round = role === 'radio' || shape === 'circle' ? '50%' : shape === 'rounded' ? '5px' : '1px'
      const full = on && !(role === 'radio' && shape !== 'tick') && shape !== 'outline'
      box = h('span', {'data-ui': role, 'data-on': String(!!on), style: {width: edge + 'px', height: edge + 'px', boxSizing: 'border-box', borderRadius: round, border: `${pick([1, 1.5, 2])}px solid ${on ? Theme.accent : Theme.muted}`, background: full ? Theme.accent : Theme.field, flex: 'none', display: 'inline-flex', alignItems: 'center', justifyContent: 'center', ...clickable}})
      if (on) box.append(role === 'radio' && shape !== 'tick' ? h('span', {style: {width: '50%', height: '50%', borderRadius: '50%', background: Theme.accent}})
        : h('span', {html: `<svg data-ui="none" width="${edge * .7}" height="${edge * .7}" viewBox="0 0 12 12" style="display:block"><path d="M2 6l3 3 5-6" fill="none" stroke="${full ? Theme.onAccent : Theme.accent}" stroke-width="2"/></svg>`, style: {lineHeight: 0}}))
    }
    return h('label', {style: {display: 'inline-flex', alignItems: 'center', gap: '8px', opacity: disabled ? .5 : 1, ...clickable}}, box, label)
  },
  toggle({on, disabled}) {
    const shape = Theme.toggle, height = int(16, 30), width = Math.round(height * real(1.6, 2.1)), knob = shape === 'material' ? height : height - 4
    const radius = shape === 'square' ? Math.min(4, Theme.radius) + 'px' : '99px'
    const track = on ? Theme.accent : shape === 'outline' ? 'transparent' : Theme.dark ? '#555' : '#c4c7cc'
    const thick = shape === 'material' ? height * .65 : height
    return h('span', {'data-ui': 'switch', 'data-on': String(!!on), style: {position: 'relative', display: 'inline-block', width: width + 'px', height: height + 'px', flex: 'none', opacity: disabled ? .5 : 1, ...clickable}},
      h('span', {style: {position: 'absolute', left: 0, right: 0, top: (height - thick) / 2 + 'px', height: thick + 'px', borderRadius: radius, background: track, boxSizing: 'border-box', border: shape === 'outline' ? `2px solid ${on ? Theme.accent : Theme.muted}` : 0}}),
      shape === 'text' && height > 20 && width > 44 && h('span', {style: {position: 'absolute', fontSize: '9px', lineHeight: height + 'px', left: on ? '6px' : 'auto', right: on ? 'auto' : '6px', color: '#fff'}}, on ? 'ON' : 'OFF'),
      h('span', {style: {position: 'absolute', width: knob + 'px', height: knob + 'px', top: (height - knob) / 2 + 'px', left: (on ? width - knob - (shape === 'material' ? 0 : 2) : shape === 'material' ? 0 : 2) + 'px', borderRadius: radius, background: shape === 'outline' ? (on ? Theme.accent : Theme.muted) : '#fff', boxShadow: '0 1px 3px rgba(0,0,0,.4)', transform: shape === 'outline' ? 'scale(.7)' : 'none'}}))
  },
  slider({value}) {
    const shape = Theme.slider, width = pick([int(70, 400) + 'px', int(70, 400) + 'px', '100%'])
    if (shape === 'native') return h('input', {type: 'range', '.value': value, style: {width, accentColor: Theme.accent, margin: 0, flex: '0 1 auto'}})
    const thick = shape === 'thick' ? int(8, 18) : int(2, 5), knob = Math.max(thick + 2, int(10, 22))
    return h('div', {'data-ui': 'slider', style: {position: 'relative', width, maxWidth: '100%', minWidth: '60px', height: knob + 'px', flex: '0 1 auto', ...clickable}},
      h('div', {style: {position: 'absolute', left: 0, right: 0, top: (knob - thick) / 2 + 'px', height: thick + 'px', borderRadius: '99px', background: Theme.line}}),
      h('div', {style: {position: 'absolute', left: 0, width: value + '%', top: (knob - thick) / 2 + 'px', height: thick + 'px', borderRadius: '99px', background: Theme.accent}}),
      h('div', {style: {position: 'absolute', left: `calc(${value}% - ${knob * value / 100}px)`, width: knob + 'px', height: knob + 'px', boxSizing: 'border-box', borderRadius: shape === 'square' ? '2px' : '50%', background: shape === 'ring' ? Theme.surface : Theme.accent, border: shape === 'ring' ? `2px solid ${Theme.accent}` : 0, boxShadow: '0 1px 2px rgba(0,0,0,.3)'}}))
  },
  tabs({names, active = 0, icons}) {
    const shape = Theme.tabs, box = shape === 'segment' ? {background: `color-mix(in srgb, ${Theme.fg} 9%, transparent)`, borderRadius: Theme.radius + 3 + 'px', padding: '3px', display: 'inline-flex'} : shape === 'text' ? {} : {borderBottom: `1px solid ${Theme.line}`}
    return row({gap: shape === 'underline' || shape === 'text' ? px(6) : shape === 'pill' ? px(6) : '0', flexWrap: 'nowrap', overflow: 'hidden', ...box}, names.map((name, index) => {
      const on = index === active, style = {padding: `${px(8)} ${px(14)}`, whiteSpace: 'nowrap', display: 'inline-flex', gap: '6px', alignItems: 'center', color: on ? Theme.accent : Theme.muted, boxSizing: 'border-box', flex: 'none', ...clickable}
      if (shape === 'underline') style.borderBottom = `2px solid ${on ? Theme.accent : 'transparent'}`
      if (shape === 'line-top') Object.assign(style, {borderTop: `2px solid ${on ? Theme.accent : 'transparent'}`, background: on ? Theme.surface : 'transparent'})
      if (shape === 'pill') Object.assign(style, {borderRadius: '99px', background: on ? Theme.accent : 'transparent', color: on ? Theme.onAccent : Theme.muted})
      if (shape === 'box') Object.assign(style, {border: `1px solid ${on ? Theme.line : 'transparent'}`, borderBottom: 0, borderRadius: `${Theme.radius}px ${Theme.radius}px 0 0`, background: on ? Theme.surface : 'transparent', color: on ? Theme.fg : Theme.muted})
      if (shape === 'segment') Object.assign(style, {borderRadius: Theme.radius + 'px', background: on ? Theme.surface : 'transparent', color: Theme.fg, boxShadow: on ? '0 1px 2px rgba(0,0,0,.2)' : 'none', padding: `${px(5)} ${px(13)}`})
      return h('div', {'data-ui': 'tab', class: on ? 'active' : '', style}, icons && icon(icons[index], Theme.size + 2), name)
    }))
  },
  pages({count = 5, active = 1}) {
    const cell = (kid, on) => h('span', {'data-ui': 'button', class: on ? 'active' : '', style: {minWidth: px(30), height: px(30), display: 'inline-flex', alignItems: 'center', justifyContent: 'center', borderRadius: Theme.radius + 'px', border: `1px solid ${on ? Theme.accent : Theme.line}`, color: on ? Theme.accent : Theme.fg, boxSizing: 'border-box', ...clickable}}, kid)
    return row({gap: '6px'}, cell(icon('back', 14)), times(count, index => cell(String(index + 1), index === active)), cell(icon('forward', 14)))
  },
  crumbs: names => row({gap: '6px', color: Theme.muted}, names.flatMap((name, index) => [index ? span(pick(['/', '›', '>'])) : null, index < names.length - 1 ? plain.link(name) : span(name)])),
  chip: ({text, closable, glyph}) => h('span', {'data-ui': closable || glyph ? 'button' : null, style: {display: 'inline-flex', alignItems: 'center', gap: '5px', padding: `${px(3)} ${px(9)}`, borderRadius: pick(['99px', Theme.radius + 'px']), background: `color-mix(in srgb, ${pick([Theme.accent, Theme.fg])} 14%, transparent)`, fontSize: '.87em', whiteSpace: 'nowrap'}}, glyph && icon(glyph, 13), text, closable && icon('close', 12)),
  progress: value => h('div', {style: {height: int(3, 10) + 'px', borderRadius: '9px', background: Theme.line, minWidth: '80px', flex: 1, overflow: 'hidden'}}, h('div', {style: {height: '100%', width: value + '%', background: Theme.accent}})),
  alert: text => row({padding: px(10), borderRadius: Theme.radius + 'px', background: `color-mix(in srgb, ${pick([Theme.accent, '#e6a23c', '#d33', '#2a8'])} 15%, transparent)`}, icon(pick(['info', 'warning', 'bell']), 18), span(text, {flex: 1}), chance(0.5) && icon('close', 14)),
  stepper: value => row({gap: '0', border: `1px solid ${Theme.line}`, borderRadius: Theme.radius + 'px', width: 'max-content', overflow: 'hidden'}, ['minus', null, 'add'].map(glyph => glyph ? h('button', {style: {border: 0, background: 'transparent', color: 'inherit', padding: `${px(5)} ${px(8)}`, display: 'inline-flex'}}, icon(glyph, 14)) : h('input', {value, style: {width: '38px', textAlign: 'center', font: 'inherit', color: 'inherit', border: 0, background: 'transparent', borderLeft: `1px solid ${Theme.line}`, borderRight: `1px solid ${Theme.line}`, padding: `${px(5)} 0`}}))),
  menu({items, horizontal, active = 0}) {
    return h('div', {style: {display: 'flex', flexDirection: horizontal ? 'row' : 'column', gap: pick(['0', '2px', '4px'])}}, items.map((each, index) => h('div', {'data-ui': 'menu item', class: index === active ? 'active' : '', style: {display: 'flex', alignItems: 'center', gap: '10px', padding: `${px(horizontal ? 5 : 8)} ${px(12)}`, borderRadius: Theme.radius + 'px', background: index === active && !horizontal ? `color-mix(in srgb, ${Theme.accent} 15%, transparent)` : 'transparent', color: index === active && !horizontal ? Theme.accent : 'inherit', whiteSpace: 'nowrap', ...clickable}}, each.icon && icon(each.icon), h('span', {style: {flex: horizontal ? 'none' : 1, overflow: 'hidden', textOverflow: 'ellipsis'}}, each.text), each.hint && span(each.hint, {color: Theme.muted, fontSize: '.85em'}), each.more && arrow())))
  },
  list({items}) {
    const shape = Theme.list
    return h('div', {style: {display: 'flex', flexDirection: 'column', gap: shape === 'cards' ? '8px' : 0, ...(shape === 'inset' ? {borderRadius: Theme.radius + 4 + 'px', background: Theme.surface, overflow: 'hidden'} : {})}}, items.map((each, index) => this.listItem(each, index)))
  },
  listItem(each, index) {
    const shape = Theme.list
    const style = {display: 'flex', alignItems: 'center', gap: px(11), padding: `${px(9)} ${px(13)}`, minWidth: 0, ...(shape === 'lines' || shape === 'inset' ? {borderBottom: `1px solid ${Theme.line}`} : shape === 'cards' ? {background: Theme.surface, borderRadius: Theme.radius + 'px', boxShadow: Theme.shadow, border: `1px solid ${Theme.line}`} : shape === 'striped' && index % 2 ? {background: `color-mix(in srgb, ${Theme.fg} 5%, transparent)`} : {}), ...(each.toggle ? {} : clickable)}
    return h('div', {'data-ui': 'list item', style}, plain.listInner(each, this))
  },
  listInner(each, ui) {
    return [each.check !== undefined && ui.check({label: '', on: each.check}), each.icon && icon(each.icon, 0, {color: each.tint}), each.avatar && avatar(each.avatar), each.picture && picture(each.picture + 'px', each.picture + 'px', {borderRadius: Theme.radius + 'px'}),
      h('div', {style: {flex: 1, minWidth: 0}}, h('div', {style: {overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', fontWeight: each.strong ? 600 : 400}}, each.title), each.sub && h('div', {style: {color: Theme.muted, fontSize: '.86em', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap'}}, each.sub)),
      each.meta && span(each.meta, {color: Theme.muted, fontSize: '.86em', whiteSpace: 'nowrap'}), each.toggle !== undefined && ui.toggle({on: each.toggle}), each.action && ui.button({text: each.action}), each.actions && each.actions.map(glyph => ui.iconButton({icon: glyph})), each.arrow && arrow()]
  },
  table({columns, rows, checks, actions}) {
    const cell = {padding: `${px(8)} ${px(10)}`, textAlign: 'left', borderBottom: `1px solid ${Theme.line}`, whiteSpace: 'nowrap', verticalAlign: 'middle'}
    const boxed = chance(0.3) ? {border: `1px solid ${Theme.line}`} : {}
    return h('table', {style: {borderCollapse: 'collapse', width: '100%'}}, h('thead', {}, h('tr', {style: {background: chance(0.5) ? `color-mix(in srgb, ${Theme.fg} 6%, transparent)` : 'transparent'}}, checks && h('th', {style: {...cell, ...boxed}}, this.check({label: '', on: false})), columns.map(name => h('th', {style: {...cell, ...boxed, fontWeight: 600}}, name, chance(0.15) && icon('sort', 13, {marginLeft: '4px', verticalAlign: 'middle'}))))),
      h('tbody', {}, rows.map(each => h('tr', {}, checks && h('td', {style: {...cell, ...boxed}}, this.check({label: '', on: chance(0.3)})), each.map(value => h('td', {style: {...cell, ...boxed}}, value)), actions && h('td', {style: {...cell, ...boxed}}, row({gap: '10px'}, actions()))))))
  },
  card({title, extra, body, foot}) {
    return h('div', {style: {background: Theme.surface, border: border(), borderRadius: Theme.radius + 'px', boxShadow: Theme.shadow, overflow: 'hidden', minWidth: 0}}, title && row({padding: `${px(10)} ${px(14)}`, borderBottom: chance(0.6) ? `1px solid ${Theme.line}` : 0}, h('b', {style: {flex: 1}}, title), extra), h('div', {style: {padding: px(14)}}, body), foot && row({padding: `${px(8)} ${px(14)}`, borderTop: `1px solid ${Theme.line}`}, foot))
  },
  dialog({title, body, buttons, closable, width}) {
    const place = pick([{justifyContent: 'flex-end'}, {justifyContent: 'flex-end'}, {justifyContent: 'center'}, {justifyContent: 'flex-start'}])
    return h('div', {style: {position: 'fixed', inset: 0, zIndex: 900, background: `rgba(0,0,0,${pick([0, .3, .45, .6])})`, display: 'flex', alignItems: pick(['center', 'center', 'flex-start']), justifyContent: 'center', paddingTop: '8vh', paddingBottom: '8vh', boxSizing: 'border-box'}},
      h('div', {'data-ui': 'window', style: {width, maxWidth: '88vw', maxHeight: '84vh', overflow: 'hidden', background: Theme.dark ? `color-mix(in srgb, ${Theme.surface} 90%, white)` : '#fff', borderRadius: Theme.radius + 4 + 'px', boxShadow: '0 10px 40px rgba(0,0,0,.4)', border: chance(0.4) ? border() : 0, display: 'flex', flexDirection: 'column'}},
        title && row({padding: `${px(13)} ${px(18)}`, borderBottom: chance(0.5) ? `1px solid ${Theme.line}` : 0}, h('b', {style: {flex: 1, fontSize: '1.1em'}}, title), closable && this.iconButton({icon: 'close'})), h('div', {style: {padding: `${px(10)} ${px(18)}`, overflow: 'hidden'}}, body), buttons && row({padding: `${px(12)} ${px(18)}`, ...place}, buttons)))
  },
  popup: ({items}) => h('div', {style: {background: Theme.dark ? `color-mix(in srgb, ${Theme.surface} 88%, white)` : '#fff', color: Theme.fg, borderRadius: Theme.radius + 'px', boxShadow: '0 6px 22px rgba(0,0,0,.28)', border: border(), padding: '4px', minWidth: '120px'}}, plain.menu({items, active: chance(0.5) ? int(0, items.length - 1) : -1})),
  navbar: ({title, back, actions}) => row({padding: `${px(8)} ${px(12)}`, minHeight: '44px', boxSizing: 'border-box', background: pick([Theme.surface, Theme.bg]), borderBottom: chance(0.6) ? `1px solid ${Theme.line}` : 0}, back && plain.iconButton({icon: 'back'}), h('b', {style: {flex: 1, textAlign: chance(0.5) ? 'center' : 'left', fontSize: '1.15em', whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis'}}, title), (actions || []).map(glyph => plain.iconButton({icon: glyph}))),
  tabbar: ({items, active}) => row({gap: 0, background: Theme.surface, borderTop: `1px solid ${Theme.line}`, padding: '4px 0'}, items.map((each, index) => h('div', {'data-ui': 'tab', class: index === active ? 'active' : '', style: {flex: 1, display: 'flex', flexDirection: 'column', alignItems: 'center', gap: '3px', padding: '4px 0', color: index === active ? Theme.accent : Theme.muted, fontSize: '11px', ...clickable}}, icon(each.icon, 22), each.text))),
  fab: glyph => plain.iconButton({icon: glyph, kind: 'primary', size: int(44, 62)}),
  accordion: ({items}) => h('div', {}, items.map((each, index) => h('div', {style: {borderBottom: `1px solid ${Theme.line}`}}, h('div', {'data-ui': 'button', style: {display: 'flex', alignItems: 'center', padding: px(10), ...clickable}}, h('span', {style: {flex: 1}}, each.title), caret()), each.open && h('div', {style: {padding: `0 ${px(10)} ${px(10)}`, color: Theme.muted}}, each.body)))),
  calendar() {
    const cell = (text, on) => h('div', {'data-ui': 'button', style: {width: px(32), height: px(30), display: 'flex', alignItems: 'center', justifyContent: 'center', borderRadius: pick(['50%', '3px']), background: on ? Theme.accent : 'transparent', color: on ? Theme.onAccent : 'inherit', ...clickable}}, text)
    const today = int(1, 30), start = int(0, 6)
    return h('div', {style: {display: 'inline-block', padding: px(10), background: Theme.surface, border: border(), borderRadius: Theme.radius + 'px', boxShadow: Theme.shadow}}, row({justifyContent: 'space-between', marginBottom: '6px'}, this.iconButton({icon: 'back'}), h('b', {}, `20${int(20, 29)}-${int(1, 12)}`), this.iconButton({icon: 'forward'})),
      h('div', {style: {display: 'grid', gridTemplateColumns: 'repeat(7, auto)'}}, times(start, () => h('i')), times(30, index => cell(String(index + 1), index + 1 === today))))
  },
}
let ui = plain
