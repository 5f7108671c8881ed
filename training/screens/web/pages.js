// Whole pages: a shell, blocks in it, and now and then something that pops up over them.
const panel = (style, ...kids) => column({background: chance(0.6) ? Theme.surface : 'transparent', boxSizing: 'border-box', ...style}, kids)

function desktopPage() {
  const shell = weighted({app: 5, sides: 2, centre: 1.2, site: 2.5, editor: 2, split: 2, loose: 3})
  const blocks = count => times(Math.round(count * Math.max(1, innerHeight / 620)), someBlock)
  const main = (count, style) => column({flex: 1, padding: px(18), gap: px(20), overflow: 'hidden', minWidth: 0, ...style}, chance(0.4) && row({}, heading(words.title()), grow(), times(int(0, 3), () => (chance(0.5) ? someButton() : someIconButton()))), chance(0.25) && ui.crumbs(times(int(2, 4), words.noun)), blocks(count))
  const top = () => row({padding: `${px(7)} ${px(16)}`, gap: px(12), borderBottom: `1px solid ${Theme.line}`, background: pick([Theme.surface, Theme.surface, Theme.bg, Theme.accent]), flex: 'none'}, chance(0.4) && ui.iconButton({icon: 'menu'}), icon(null, 26), h('b', {style: {whiteSpace: 'nowrap'}}, words.title()), chance(0.5) && ui.menu({items: times(int(2, 6), () => ({text: words.noun()})), horizontal: true}), grow(), chance(0.6) && h('div', {style: {width: int(150, 300) + 'px', display: 'flex'}}, ui.input({hint: words.hint(), icon: 'search'})), times(int(1, 4), someIconButton), chance(0.6) && avatar(int(24, 36)))
  const side = () => panel({width: int(140, 260) + 'px', padding: px(8), gap: '8px', borderRight: `1px solid ${Theme.line}`, flex: 'none', overflow: 'hidden'}, chance(0.3) && row({padding: px(8)}, icon(null, 26), h('b', {}, words.noun())), chance(0.3) && row({}, ui.input({hint: words.hint(), icon: 'search'})), chance(0.25) ? Blocks.tree() : ui.menu({items: times(int(4, 12), () => ({text: words.noun(), icon: chance(0.85) ? idea() : null, more: chance(0.2)})), active: int(0, 3)}), chance(0.3) && [grow(), someButton('default')])
  const rail = () => column({width: '48px', alignItems: 'center', padding: '8px 0', gap: '8px', background: Theme.surface, borderRight: `1px solid ${Theme.line}`, flex: 'none'}, times(int(4, 8), someIconButton), grow(), ui.iconButton({icon: 'settings'}))
  const screen = (...kids) => column({height: '100vh', overflow: 'hidden'}, kids)
  const body = (...kids) => row({flex: 1, gap: 0, alignItems: 'stretch', minHeight: 0}, kids)
  const tall = (...kids) => column({minHeight: `${int(100, 220)}vh`}, kids)
  const menubar = () => row({padding: '1px 4px', gap: 0, background: Theme.surface, flex: 'none'}, ui.menu({items: times(int(4, 9), () => ({text: words.any('nav')})), horizontal: true, active: -1}))
  const status = () => row({padding: '2px 12px', fontSize: '.85em', borderTop: `1px solid ${Theme.line}`, gap: '18px', background: Theme.surface, flex: 'none'}, times(int(2, 5), () => span(words.cell())), grow(), chance(0.5) && h('div', {style: {width: '110px', display: 'flex'}}, ui.slider({value: int(0, 99)})), maybeIcon(0.5, null, 15))
  switch (shell) {
    case 'app': return screen(chance(0.85) && top(), body(chance(0.8) && side(), main(int(2, 5)), chance(0.25) && panel({width: int(200, 300) + 'px', padding: px(12), gap: px(14), borderLeft: `1px solid ${Theme.line}`, flex: 'none', overflow: 'hidden'}, blocks(int(2, 3)))))
    case 'sides': return screen(body(rail(), side(), main(int(2, 4)), chance(0.4) && rail()))
    case 'centre': return screen(chance(0.5) && top(), column({flex: 1, alignItems: 'center', justifyContent: 'center'}, chance(0.6) ? Blocks.login() : ui.card({title: words.title(), body: Blocks.form()})))
    case 'site': return tall(top(), chance(0.5) && h('div', {style: {padding: px(40), background: `linear-gradient(120deg, ${Theme.accent}, ${Theme.surface})`}}, heading(words.title(), 2.2), h('p', {}, words.text(2)), row({}, someButton('primary'), someButton('default'))), main(int(3, 7), {maxWidth: pick(['1000px', '1300px', 'none']), margin: '0 auto', width: '100%', boxSizing: 'border-box'}), h('div', {style: {padding: px(24), borderTop: `1px solid ${Theme.line}`, display: 'grid', gridTemplateColumns: 'repeat(4, 1fr)', gap: '16px'}}, times(4, () => column({gap: '7px', alignItems: 'flex-start'}, h('b', {}, words.noun()), times(int(2, 5), () => ui.link(words.noun()))))))
    case 'editor': return screen(menubar(), h('div', {style: {borderBottom: `1px solid ${Theme.line}`, background: Theme.surface, flex: 'none'}}, times(int(1, 2), Blocks.toolbar)), body(chance(0.5) && side(), main(int(1, 3), {background: pick([Theme.bg, Theme.field])}, chance(0.6) && Blocks.code()), chance(0.4) && panel({width: '220px', padding: px(10), gap: '12px', borderLeft: `1px solid ${Theme.line}`}, Blocks.form())), status())
    case 'split': return screen(chance(0.6) && top(), body(panel({width: int(240, 400) + 'px', padding: px(8), gap: '8px', borderRight: `1px solid ${Theme.line}`, flex: 'none', overflow: 'hidden'}, row({}, ui.input({hint: words.hint(), icon: 'search'})), Blocks.list()), column({flex: 1, minWidth: 0}, row({padding: px(10), borderBottom: `1px solid ${Theme.line}`}, avatar(32), h('b', {}, words.name()), grow(), times(int(1, 4), someIconButton)), chance(0.5) ? h('div', {style: {padding: px(16)}}, Blocks.chat()) : main(2))))
    default: return tall(main(int(4, 9)))
  }
}
function phonePage() {
  const count = int(3, 5), tall = int(100, 180)
  const bar = chance(0.5) && row({justifyContent: 'space-between', padding: '4px 16px', fontSize: '12px', background: Theme.bg}, span(words.time()), row({gap: '5px'}, times(int(2, 4), () => icon(pick(['wifi', 'battery', 'signal', 'bluetooth', 'alarm']), 13))))
  const nav = chance(0.85) && ui.navbar({title: words.noun(), back: chance(0.6), actions: times(int(0, 3), idea)})
  const search = chance(0.35) && h('div', {style: {padding: '8px 12px', display: 'flex'}}, ui.input({hint: words.hint(), icon: 'search', trailing: chance(0.4) ? pick(['microphone', 'camera', 'scan']) : null}))
  const tabs = chance(0.25) && Blocks.tabs()
  const foot = chance(0.55) && h('div', {style: {position: 'fixed', left: 0, right: 0, bottom: 0, zIndex: 20}}, ui.tabbar({items: times(count, () => ({icon: idea(), text: words.noun()})), active: int(0, count - 1)}))
  const fab = chance(0.2) && h('div', {style: {position: 'fixed', right: '18px', bottom: '76px', zIndex: 21}}, ui.fab(pick(['add', 'edit', 'send', 'camera'])))
  const key = (text, glyph) => h('div', {'data-ui': 'button', style: {flex: 1, padding: '12px 0', textAlign: 'center', background: Theme.surface, borderRadius: '6px', fontSize: '1.2em', display: 'flex', justifyContent: 'center', ...clickable}}, glyph ? icon(glyph) : text)
  const keys = chance(0.07) && h('div', {style: {position: 'fixed', left: 0, right: 0, bottom: 0, zIndex: 30, padding: '6px', background: Theme.line, display: 'flex', flexDirection: 'column', gap: '6px'}}, (chance(0.5) ? ['123', '456', '789', '.0'] : ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']).map((line, index) => row({gap: '5px'}, [...line].map(each => key(each)), index > 1 && key('', 'backspace'))))
  return column({minHeight: tall + 'vh', paddingBottom: '70px', boxSizing: 'border-box'}, bar, nav, search, tabs, column({padding: pick(['0', px(12)]), gap: px(14)}, times(int(2, 6), someBlock)), foot, fab, keys)
}
// What may lie over the page.
function overlay() {
  const kind = weighted({none: 62, dialog: 14, menu: 9, sheet: Theme.phone ? 8 : 2, toast: 3, calendar: 3, drawer: 4, tip: 3})
  const at = style => node => h('div', {style: {position: 'fixed', zIndex: 950, ...style}}, node)
  const spot = () => ({left: int(3, 65) + 'vw', top: int(5, 60) + 'vh'})
  switch (kind) {
    case 'dialog': return ui.dialog({title: chance(0.85) ? words.title() : null, closable: chance(0.6), width: Theme.phone ? '84vw' : int(320, 640) + 'px', body: chance(0.55) ? h('p', {}, words.text(int(1, 3))) : chance(0.6) ? Blocks.form() : Blocks.list(), buttons: sample([() => someButton('primary'), () => someButton('default'), () => someButton('text')], int(1, 3)).map(make => make())})
    case 'menu': return at(spot())(ui.popup({items: times(int(3, 10), () => ({text: words.action(), icon: chance(0.5) ? idea() : null, hint: chance(0.3) ? 'Ctrl+' + pick([...'ABCNOSXVZ']) : null, more: chance(0.12)}))}))
    case 'sheet': return h('div', {style: {position: 'fixed', inset: 0, zIndex: 940, background: 'rgba(0,0,0,.45)', display: 'flex', alignItems: 'flex-end'}}, h('div', {'data-ui': 'window', style: {width: '100%', background: Theme.surface, borderRadius: '14px 14px 0 0', padding: px(14), boxSizing: 'border-box', maxHeight: '70vh', overflow: 'hidden'}}, chance(0.5) && row({}, h('b', {style: {flex: 1}}, words.title()), ui.iconButton({icon: 'close'})), chance(0.5) ? Blocks.grid() : chance(0.5) ? Blocks.form() : ui.menu({items: times(int(3, 6), () => ({text: words.action(), icon: chance(0.4) ? idea() : null})), active: -1})))
    case 'toast': return at({left: 0, right: 0, top: int(5, 80) + 'vh', display: 'flex', justifyContent: 'center'})(h('div', {style: {background: Theme.dark ? '#eee' : '#222e', color: Theme.dark ? '#111' : '#fff', padding: '10px 18px', borderRadius: '8px', display: 'flex', gap: '9px'}}, maybeIcon(0.6, 'info', 18), words.sentence()))
    case 'calendar': return at(spot())(ui.calendar())
    case 'drawer': return h('div', {style: {position: 'fixed', inset: 0, zIndex: 930, background: `rgba(0,0,0,${pick([.3, .5])})`, display: 'flex', flexDirection: pick(['row', 'row-reverse'])}}, h('div', {'data-ui': 'window', style: {width: `min(${int(240, 420)}px, 82vw)`, background: Theme.surface, padding: px(12), boxSizing: 'border-box', overflow: 'hidden', boxShadow: '0 0 20px rgba(0,0,0,.4)'}}, row({}, h('b', {style: {flex: 1}}, words.title()), ui.iconButton({icon: 'close'})), chance(0.5) ? ui.menu({items: times(int(5, 10), () => ({text: words.noun(), icon: idea()}))}) : Blocks.form()))
    case 'tip': return at(spot())(h('div', {style: {background: '#333', color: '#fff', padding: '5px 10px', borderRadius: '4px', fontSize: '.85em'}}, words.sentence()))
    default: return null
  }
}
// Called once per screen. Returns nothing; the picture is taken and the truth is read when the page has come to rest.
function show(order) {
  for (const undo of Stage.cleanups.splice(0)) undo()
  const app = document.getElementById('app')
  app.replaceChildren()
  for (const stray of document.querySelectorAll('body > :not(#app):not(script):not(style):not([data-keep])')) stray.remove()
  random = seeded(order.seed)
  Object.assign(Stage, {icons: order.icons, named: order.named, words: order.words, language: order.language, pictures: order.pictures || []})
  makeTheme(order.dark, order.phone)
  ui = Library
  ui.begin(order)
  app.append(chance(Theme.phone ? .2 : .5) ? someSite() : Theme.phone ? phonePage() : desktopPage())
  Stage.over = overlay()
  if (Stage.over) app.append(Stage.over)
  scroll()
}
// The same page a moment later: scrolled elsewhere, with something over it that was not there, or without what was.
function vary(order) {
  random = seeded(order.seed)
  const had = Stage.over
  if (had) had.remove()
  const still = document.documentElement.scrollHeight < innerHeight * 1.3
  Stage.over = had ? null : overlay()
  for (let tries = 0; still && !had && !Stage.over && tries < 9; tries++) Stage.over = overlay()
  if (Stage.over) document.getElementById('app').append(Stage.over)
  scroll()
}
function scroll() {
  window.scrollTo(0, chance(0.4) ? real(0, Math.max(0, document.documentElement.scrollHeight - innerHeight)) : 0)
  for (const each of document.querySelectorAll('#app *')) if (each.scrollHeight > each.clientHeight + 4 && /auto|scroll/.test(getComputedStyle(each).overflowY) && chance(0.5)) each.scrollTop = real(0, each.scrollHeight)
}
const readTruth = () => Truth.read({rules: Library.rules, icons: Library.icons})
