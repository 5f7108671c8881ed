// Pages out of a component library's own parts. A library file defines `ui`:
//   h(tag, {style, data-*}, ...children), mount(node), and the parts button, input, choice, toggle, icon, iconButton,
//   tabs, tag, dialog, and where it has them cell, navbar, tabbar.
function row(style, ...kids) { return ui.h('div', {style: {display: 'flex', alignItems: 'center', gap: '12px', ...style}}, ...kids) }
function column(style, ...kids) { return ui.h('div', {style: {display: 'flex', flexDirection: 'column', gap: '14px', ...style}}, ...kids) }
function text(words, style) { return ui.h('span', {style: style || {}}, words) }

function toolbar(page) {
  return row({justifyContent: 'space-between', padding: '12px 20px', borderBottom: '1px solid rgba(128,128,128,.35)'},
    row({}, ui.icon('menu'), text(page.title, {fontSize: '18px', fontWeight: 600})),
    row({}, ...page.icons.slice(0, 5).map(ui.iconButton)))
}

function table(page) {
  const cell = {padding: '9px 12px', textAlign: 'left'}
  const line = {borderBottom: '1px solid rgba(128,128,128,.3)'}
  return ui.h('table', {style: {width: '100%', borderCollapse: 'collapse'}},
    ui.h('thead', {}, ui.h('tr', {style: line}, ...page.columns.map(name => ui.h('th', {style: cell}, name)))),
    ui.h('tbody', {}, ...page.rows.map(each => ui.h('tr', {style: line, 'data-row': '1'},
      ...[each.name, each.department, each.date].map(value => ui.h('td', {style: cell}, value)),
      ui.h('td', {style: cell}, ui.tag(each.state)),
      ui.h('td', {style: cell}, row({gap: '8px'}, ...page.rowActions.map(name => ui.button(name, 'text'))))))))
}

function fields(page) {
  return page.fields.map(field => column({gap: '6px'}, text(field.label, {}), ui.input(field.hint)))
}

function choices(page) {
  return row({flexWrap: 'wrap', gap: '20px'}, ...page.choices.map(each => ui.choice(each.label, each.on)))
}

const PAGES = {
  table: page => column({gap: '0'}, toolbar(page), column({padding: '18px 24px'},
    row({}, ui.h('div', {style: {width: '260px'}}, ui.input(page.fields[0].hint)), ui.button(page.search, 'primary'), ...page.actions.slice(0, 3).map(name => ui.button(name, ''))),
    table(page), row({justifyContent: 'flex-end'}, ui.button(page.pages[0], ''), text('1 / 12'), ui.button(page.pages[1], '')))),
  form: page => column({gap: '0'}, ui.navbar && page.phone ? ui.navbar(page.title) : toolbar(page), column({padding: '18px 24px', maxWidth: '560px'},
    ui.tabs(page.phone ? page.tabs.slice(0, 3) : page.tabs), ...fields(page), choices(page),
    row({flexWrap: 'wrap'}, ...page.actions.map((name, index) => ui.button(name, index ? '' : 'primary'))))),
  dialog: page => column({gap: '0'}, ui.navbar && page.phone ? ui.navbar(page.title) : toolbar(page),
    column({padding: '18px 24px'}, ...page.sentences.map(words => text(words)), row({flexWrap: 'wrap'}, ...page.actions.slice(0, 2).map(name => ui.button(name, '')))),
    ui.dialog(page.title, page.question, page.answers)),
  editor: page => column({gap: '0'},
    row({gap: '4px', padding: '4px 10px'}, ...page.menus.map(name => ui.button(name, 'text'))),
    row({gap: '6px', padding: '6px 10px', borderBottom: '1px solid rgba(128,128,128,.35)'}, ...page.icons.map(ui.iconButton)),
    row({alignItems: 'stretch', gap: '0'},
      column({width: '240px', gap: '10px', padding: '16px', borderRight: '1px solid rgba(128,128,128,.35)'},
        ...page.rows.map(each => row({gap: '8px'}, ui.icon('folder'), text(each.name)))),
      column({padding: '16px', flex: 1}, ui.tabs(page.tabs), ...page.sentences.map(words => text(words)), choices(page),
        ...page.rows.slice(0, 4).map(each => row({}, text(each.date), text(each.department), ui.tag(each.state)))))),
  settings: page => column({gap: '0'}, ui.navbar(page.title),
    column({gap: '0'}, ...page.settings.map(each => ui.cell(each.icon, each.label, each.switch, each.on))), ui.tabbar(page.tabs.slice(0, 4), page.icons)),
  people: page => column({gap: '0'}, ui.navbar(page.title), ui.h('div', {style: {padding: '10px 14px'}}, ui.input(page.search)),
    column({gap: '0'}, ...page.rows.map(each => row({padding: '10px 16px', borderBottom: '1px solid rgba(128,128,128,.25)', 'justifyContent': 'space-between'},
      ui.h('div', {'data-row': '1', style: {display: 'flex', flex: 1, alignItems: 'center', gap: '12px'}}, ui.icon('user'),
        column({gap: '2px', flex: 1}, text(each.name, {fontWeight: 600}), text(each.message, {fontSize: '13px', opacity: .7, whiteSpace: 'nowrap', overflow: 'hidden', maxWidth: '150px', textOverflow: 'ellipsis'})),
        text(each.time, {fontSize: '12px', opacity: .6}), ui.button(page.rowActions[1], 'text'))))), ui.tabbar(page.tabs.slice(0, 4), page.icons)),
}

function show(page) {
  document.documentElement.lang = page.language
  document.documentElement.classList.toggle('dark', page.dark)
  document.body.style.margin = '0'
  document.body.style.fontFamily = document.body.style.fontFamily || "system-ui, 'Noto Sans', 'Noto Sans CJK SC', sans-serif"
  ui.mount(page, () => PAGES[page.kind](page))
}
