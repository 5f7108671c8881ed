// Blocks that pages are built of. Every one is drawn anew from chance, with the controls of `ui`.
const IMPORTANT = ['primary', 'default', 'default', 'text', 'danger']
const heading = (text, scale) => h('div', {style: {fontSize: (scale || real(1.1, 1.7)) + 'em', fontWeight: pick([500, 600, 700]), margin: '2px 0'}}, text)
const note = text => span(text, {color: Theme.muted, fontSize: '.88em'})
const someButton = kind => ui.button({text: words.action(), kind: kind || pick(IMPORTANT), icon: chance(0.25) ? idea() : null, disabled: chance(0.07), trailing: chance(0.07)})
const someIconButton = () => ui.iconButton({icon: idea(), badge: chance(0.08) ? String(int(1, 99)) : null})
const value = () => (chance(0.5) ? words.cell() : '')
const item = () => ({title: chance(0.5) ? words.noun() : words.name()})

const Blocks = {
  toolbar() {
    const groups = int(1, 5)
    return row({gap: pick(['2px', '6px', '12px']), flexWrap: chance(0.6) ? 'wrap' : 'nowrap', overflow: 'hidden', padding: px(4)}, times(groups, group => [
      group > 0 && chance(0.6) && h('span', {style: {width: '1px', alignSelf: 'stretch', background: Theme.line, margin: '0 4px', flex: 'none'}}),
      weighted({icons: 6, buttons: 2, select: 1, toggle: 1}) === 'icons' ? times(int(2, 6), someIconButton) : chance(0.5) ? times(int(1, 3), () => someButton()) : h('div', {style: {width: '130px', display: 'flex', flex: 'none'}}, ui.select({value: words.noun(), options: [words.noun()]})),
    ]))
  },
  form() {
    const beside = !Theme.phone && chance(0.4), labelled = chance(0.85)
    const field = () => {
      const kind = weighted({input: 6, select: 3, textarea: 1, radio: 1.4, check: 1.4, toggle: 1.4, slider: 1, stepper: .7})
      const glyph = chance(0.2) ? idea() : null
      const control = kind === 'input' ? ui.input({hint: chance(0.7) ? words.hint() : '', value: value(), icon: glyph, trailing: chance(0.12) ? pick(['eye', 'close', 'calendar']) : null, type: chance(0.1) ? 'password' : 'text'})
        : kind === 'select' ? ui.select({value: words.noun(), options: times(4, words.noun)}) : kind === 'textarea' ? ui.textarea({hint: words.hint(), value: chance(0.4) ? words.text(2) : '', rows: int(2, 5)})
        : kind === 'radio' ? row({flexWrap: 'wrap', gap: px(16)}, (() => { const on = int(0, 2); return times(int(2, 4), index => ui.radio({label: words.noun(), on: index === on, disabled: chance(0.05)})) })())
        : kind === 'check' ? row({flexWrap: 'wrap', gap: px(16)}, times(int(1, 4), () => ui.check({label: words.noun(), on: chance(0.5), disabled: chance(0.05)})))
        : kind === 'toggle' ? ui.toggle({on: chance(0.5), disabled: chance(0.06)}) : kind === 'slider' ? ui.slider({value: int(5, 95)}) : ui.stepper(int(0, 20))
      const label = span(words.noun() + (chance(0.3) ? ':' : chance(0.2) ? ' *' : ''), {minWidth: beside ? '110px' : 0, textAlign: beside && chance(0.5) ? 'right' : 'left', flex: 'none', color: chance(0.3) ? Theme.muted : 'inherit', maxWidth: '160px', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap'})
      return h('div', {style: {display: 'flex', flexDirection: beside ? 'row' : 'column', alignItems: beside ? 'center' : 'stretch', gap: beside ? '14px' : '5px'}}, labelled && label, h('div', {style: {flex: 1, minWidth: 0, display: 'flex', alignItems: 'center'}}, control), chance(0.1) && note(words.sentence()))
    }
    const wide = !Theme.phone && chance(0.35)
    return h('div', {style: {display: 'grid', gridTemplateColumns: wide ? '1fr 1fr' : '1fr', gap: px(14), maxWidth: wide ? 'none' : pick(['420px', '600px', 'none'])}}, times(int(3, 8), field), row({gap: px(10), gridColumn: '1 / -1', justifyContent: pick(['flex-start', 'flex-end', 'center'])}, someButton('primary'), chance(0.8) && someButton('default'), chance(0.2) && someButton('text')))
  },
  filters: () => row({flexWrap: 'wrap', gap: px(10)}, times(int(1, 4), () => row({flex: '0 1 200px'}, chance(0.4) && span(words.noun(), {flex: 'none'}), chance(0.6) ? ui.input({hint: words.hint(), icon: chance(0.4) ? 'search' : null}) : ui.select({value: words.noun()}))), someButton('primary'), chance(0.6) && someButton('default'), chance(0.3) && someIconButton()),
  table() {
    const wide = int(3, 7), style = pick(['links', 'icons', 'buttons', 'none'])
    const kinds = times(wide, () => pick(['cell', 'name', 'date', 'number', 'state', 'money', 'toggle', 'link', 'file', 'cell', 'cell']))
    const value = kind => kind === 'toggle' ? ui.toggle({on: chance(0.5)}) : kind === 'link' ? ui.link(words.name()) : kind === 'state' ? ui.chip({text: words.state()}) : kind === 'name' && chance(0.3) ? row({}, avatar(24), words.name()) : words[kind]()
    const actions = style === 'none' ? null : () => style === 'links' ? [ui.link(words.action()), ui.link(words.action())] : style === 'icons' ? times(2, () => ui.iconButton({icon: pick(['edit', 'delete', 'eye', 'download', 'copy', 'more'])})) : [ui.button({text: words.action(), kind: pick(['text', 'default'])})]
    return column({gap: px(10)}, h('div', {style: {overflow: 'hidden'}}, ui.table({columns: times(wide, words.noun).concat(actions ? [words.noun()] : []), rows: times(int(3, 12), () => kinds.map(value)), checks: chance(0.4), actions})), chance(0.6) && row({justifyContent: pick(['flex-end', 'space-between', 'center'])}, chance(0.4) && note(words.number()), ui.pages({count: int(2, 7), active: int(0, 1)}), chance(0.3) && h('div', {style: {width: '110px', display: 'flex'}}, ui.select({value: '10 / ' + words.noun()}))))
  },
  cards() {
    const kind = pick(['shop', 'media', 'plain', 'stat']), count = int(3, 10), edge = Theme.phone ? pick([140, 160, 300]) : pick([150, 200, 240, 320])
    const one = () => kind === 'stat' ? ui.card({body: column({gap: '6px'}, row({}, note(words.noun()), grow(), maybeIcon(0.6)), heading(words.number(), 1.6), chance(0.4) && ui.progress(int(5, 95)))})
      : kind === 'plain' ? ui.card({title: chance(0.7) ? words.title() : null, extra: chance(0.4) ? someIconButton() : null, body: h('div', {}, words.text(int(1, 3))), foot: chance(0.5) ? times(int(1, 3), () => (chance(0.5) ? someIconButton() : someButton('text'))) : null})
      : column({gap: '7px', background: chance(0.6) ? Theme.surface : 'transparent', borderRadius: Theme.radius + 'px', overflow: 'hidden', border: chance(0.4) ? border() : 0}, picture('100%', edge * real(.5, 1) + 'px', {}), column({padding: '4px 8px 8px', gap: '4px'}, h('div', {style: {overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap'}}, words.title()), kind === 'shop' ? row({}, h('b', {style: {color: Theme.danger, flex: 1}}, words.money()), chance(0.6) ? ui.iconButton({icon: pick(['cart', 'add', 'heart'])}) : someButton('primary')) : row({}, note(words.name()), grow(), chance(0.5) && someIconButton())))
    return h('div', {style: {display: 'grid', gridTemplateColumns: `repeat(auto-fill, minmax(${edge}px, 1fr))`, gap: px(14)}}, times(count, one))
  },
  list() {
    const kind = pick(['mail', 'people', 'files', 'plain', 'pictures', 'menu']), size = int(28, 48)
    const make = {
      mail: () => ({title: words.name(), sub: words.sentence(), meta: words.time(), strong: chance(0.3), check: chance(0.5) ? chance(0.2) : undefined, actions: chance(0.3) ? [pick(['star', 'delete', 'archive'])] : null}),
      people: () => ({avatar: size, title: words.name(), sub: words.sentence(), meta: words.time(), action: chance(0.25) ? words.action() : null}),
      files: () => ({icon: pick(['folder', 'file', 'image', 'music', null]), title: words.file(), meta: words.date(), actions: chance(0.4) ? ['more'] : null}),
      plain: () => ({title: words.noun(), sub: chance(0.5) ? words.sentence() : null, arrow: chance(0.4)}),
      pictures: () => ({picture: size * 1.4, title: words.title(), sub: words.sentence(), meta: chance(0.5) ? words.money() : null}),
      menu: () => ({icon: idea(), title: words.setting(), meta: chance(0.3) ? words.noun() : null, arrow: true}),
    }[kind]
    return ui.list({items: times(int(4, Theme.phone ? 12 : 9), make)})
  },
  settings() {
    const style = pick(['cells', 'cells', 'rows'])
    const tint = chance(0.3)
    const one = () => ({title: words.setting(), sub: chance(0.25) ? words.sentence() : null, icon: chance(0.6) ? idea() : null, tint: tint ? `hsl(${int(0, 360)} 70% 50%)` : null, ...(chance(0.55) ? {toggle: chance(0.5)} : {meta: chance(0.5) ? words.noun() : null, arrow: true})})
    if (style === 'cells') return column({gap: px(16)}, times(int(1, 3), () => column({gap: '6px'}, chance(0.6) && note(words.noun()), ui.list({items: times(int(2, 5), one)}))))
    return column({gap: px(13)}, times(int(4, 9), () => row({gap: px(12), maxWidth: '640px'}, column({flex: 1}, span(words.setting()), chance(0.4) && note(words.sentence())), weighted({t: 5, s: 2, d: 2, b: 1, c: 2}) === 't' ? ui.toggle({on: chance(0.5)}) : chance(0.3) ? ui.slider({value: int(0, 100)}) : chance(0.5) ? h('div', {style: {width: '150px', display: 'flex'}}, ui.select({value: words.noun()})) : chance(0.5) ? someButton('default') : ui.check({label: '', on: chance(0.5)}))))
  },
  tabs: () => { const count = int(2, Theme.phone ? 4 : 7), glyphs = chance(0.3); return ui.tabs({names: times(count, words.noun), active: int(0, count - 1), icons: glyphs ? times(count, idea) : null}) },
  text: () => column({gap: px(8), maxWidth: '720px'}, heading(words.title()), times(int(1, 4), () => h('p', {style: {margin: 0}}, words.text(int(1, 4)), chance(0.5) && [' ', ui.link(words.title()), ' '], chance(0.5) && words.text(1)))),
  chat() {
    return column({gap: px(12)}, times(int(3, 7), () => { const mine = chance(0.45); return row({flexDirection: mine ? 'row-reverse' : 'row', alignItems: 'flex-start', gap: '9px'}, avatar(34), chance(0.12) ? picture('140px', '100px', {borderRadius: '8px'}) : h('div', {style: {padding: `${px(8)} ${px(12)}`, borderRadius: Theme.radius + 4 + 'px', maxWidth: '60%', background: mine ? Theme.accent : Theme.surface, color: mine ? Theme.onAccent : Theme.fg, border: mine ? 0 : `1px solid ${Theme.line}`}}, words.text(int(1, 2)))) }),
      row({gap: '8px', padding: '8px 0'}, chance(0.6) && ui.iconButton({icon: pick(['microphone', 'add', 'attach'])}), ui.input({hint: words.hint()}), chance(0.6) && ui.iconButton({icon: 'smile'}), chance(0.6) ? ui.iconButton({icon: 'send', kind: 'primary'}) : ui.iconButton({icon: 'add'})))
  },
  player() {
    return column({gap: px(14), alignItems: 'center'}, picture('min(260px, 80%)', int(120, 260) + 'px', {borderRadius: Theme.radius + 'px'}), heading(words.title(), 1.2), note(words.name()), row({width: '100%', maxWidth: '420px'}, note('1:' + int(10, 59)), h('div', {style: {flex: 1, display: 'flex'}}, ui.slider({value: int(3, 97)})), note('4:' + int(10, 59))),
      row({gap: px(16)}, ['shuffle', 'previous', null, 'next', 'repeat'].map(glyph => glyph ? ui.iconButton({icon: glyph}) : ui.iconButton({icon: pick(['play', 'pause']), kind: 'primary', size: 50}))), chance(0.5) && row({width: '160px'}, icon('volume'), ui.slider({value: int(0, 100)})))
  },
  chart() {
    const bars = times(int(6, 16), () => int(8, 100)), wide = 300, high = 120
    const body = chance(0.5) ? bars.map((value, index) => `<rect x="${index * wide / bars.length}" y="${high - value}" width="${wide / bars.length * .7}" height="${value}" fill="${Theme.accent}"/>`).join('') : `<polyline fill="none" stroke="${Theme.accent}" stroke-width="2" points="${bars.map((value, index) => `${index * wide / (bars.length - 1)},${high - value}`).join(' ')}"/>`
    return ui.card({title: words.title(), extra: chance(0.5) ? someIconButton() : null, body: h('div', {html: `<svg viewBox="0 0 ${wide} ${high}" preserveAspectRatio="none" style="width:100%;height:${int(110, 220)}px;display:block">${body}</svg>`})})
  },
  login() {
    return ui.card({body: column({gap: px(15), width: Theme.phone ? 'auto' : int(280, 400) + 'px'}, row({justifyContent: 'center'}, icon(null, 44)), h('div', {style: {textAlign: 'center'}}, heading(words.title())), row({}, ui.input({hint: words.hint(), icon: chance(0.5) ? 'user' : null})), row({}, ui.input({hint: words.hint(), icon: chance(0.5) ? 'lock' : null, trailing: chance(0.5) ? 'eye' : null, type: 'password', value: chance(0.5) ? 'secret12' : ''})), row({}, ui.check({label: words.setting(), on: chance(0.5)}), grow(), ui.link(words.action())), ui.button({text: words.action(), kind: 'primary'}), chance(0.6) && row({justifyContent: 'center', gap: px(14)}, times(int(2, 4), someIconButton)))})
  },
  grid() { // a launcher's or a service page's icons with names below
    const across = Theme.phone ? int(3, 5) : int(4, 9), colour = chance(0.6), size = int(22, 40)
    return h('div', {style: {display: 'grid', gridTemplateColumns: `repeat(${across}, 1fr)`, gap: px(16), padding: '8px 0'}}, times(across * int(1, 4), () => h('div', {'data-ui': 'button', style: {display: 'flex', flexDirection: 'column', alignItems: 'center', gap: '6px', fontSize: '.85em', ...clickable}}, colour ? h('span', {style: {display: 'inline-flex', padding: size * .35 + 'px', borderRadius: pick(['50%', '26%', '26%']), background: `hsl(${int(0, 360)} ${int(40, 85)}% ${int(38, 60)}%)`, color: '#fff'}}, icon(idea(), size * .8)) : icon(idea(), size), h('span', {style: {maxWidth: '84px', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap'}}, words.noun()))))
  },
  accordion: () => ui.accordion({items: times(int(3, 6), () => ({title: words.title(), open: chance(0.3), body: words.text(2)}))}),
  chips: () => row({flexWrap: 'wrap'}, times(int(3, 9), () => ui.chip({text: words.noun(), closable: chance(0.3), glyph: chance(0.2) ? idea() : null}))),
  alerts: () => column({gap: '8px'}, times(int(1, 2), () => ui.alert(words.sentence()))),
  mixed: () => row({flexWrap: 'wrap', gap: px(14)}, times(int(4, 14), () => pick([() => someButton(), someIconButton, () => ui.check({label: words.noun(), on: chance(0.5), disabled: chance(0.1)}), () => ui.radio({label: words.noun(), on: chance(0.5)}), () => ui.toggle({on: chance(0.5)}), () => h('div', {style: {width: '170px', display: 'flex'}}, ui.slider({value: int(0, 100)})), () => h('div', {style: {width: int(120, 240) + 'px', display: 'flex'}}, ui.select({value: words.noun()})), () => h('div', {style: {width: int(120, 260) + 'px', display: 'flex'}}, ui.input({hint: words.hint(), value: value(), icon: chance(0.3) ? idea() : null})), () => ui.link(words.title()), () => ui.chip({text: words.state()}), () => ui.stepper(int(0, 9)), () => icon(idea())])())),
  tree() {
    const leaf = (depth, title, glyph, open) => h('div', {'data-ui': 'list item', style: {display: 'flex', alignItems: 'center', gap: '6px', padding: `${px(3)} 8px ${px(3)} ${8 + depth * 18}px`, background: chance(0.06) ? `color-mix(in srgb, ${Theme.accent} 25%, transparent)` : 'transparent', ...clickable}}, open !== null ? caret() : h('span', {style: {width: '14px'}}), icon(glyph, 16), span(title, {whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis'}))
    return column({}, times(int(2, 5), () => [leaf(0, words.noun(), 'folder', true), times(int(0, 4), () => leaf(1, words.file(), chance(0.5) ? 'file' : null, null))]))
  },
  code() {
    const key = `hsl(${int(0, 360)} 60% ${Theme.dark ? 70 : 40}%)`
    return h('div', {style: {fontFamily: "'Noto Sans Mono', 'DejaVu Sans Mono', monospace", fontSize: '.92em', whiteSpace: 'pre', overflow: 'hidden', lineHeight: 1.55}}, times(int(10, 24), index => h('div', {}, span(String(index + 1).padStart(3) + '  ', {color: Theme.muted}), ' '.repeat(2 * int(0, 4)), span(pick(['const', 'def', 'return', 'if', 'for', 'import', 'class', 'let']), {color: key}), ` ${pick(['value', 'index', 'result', 'path', 'user', 'items'])} ${pick(['=', '==', '+=', '('])} ${pick(['"' + words.noun() + '"', int(0, 99), 'None', 'read(path)', '[]'])}`)))
  },
  scroller: () => h('div', {style: {height: int(120, 260) + 'px', overflowY: 'scroll', border: border(), borderRadius: Theme.radius + 'px'}}, ui.list({items: times(int(8, 14), () => ({title: words.noun(), icon: chance(0.5) ? idea() : null}))})),
  gallery: () => h('div', {style: {display: 'grid', gridTemplateColumns: `repeat(${Theme.phone ? 3 : int(3, 6)}, 1fr)`, gap: pick(['2px', '8px'])}}, times(int(6, 15), () => picture('100%', int(80, 150) + 'px', {}))),
  dates: () => ui.calendar(),
}
const WEIGHTS = {toolbar: 3, form: 4, filters: 2, table: 3, cards: 3, list: 4, settings: 3, tabs: 3, text: 2, chat: 1, player: 1, chart: 1.5, login: .7, grid: 1.5, accordion: .8, chips: .8, alerts: .6, mixed: 4, tree: 1, code: .7, scroller: .7, gallery: .7, dates: .8}
const PHONE_WEIGHTS = {...WEIGHTS, table: .3, list: 5, settings: 5, grid: 3, chat: 2, code: .1, tree: .2, toolbar: 1.5}
const someBlock = () => Blocks[weighted(Theme.phone ? PHONE_WEIGHTS : WEIGHTS)]()
