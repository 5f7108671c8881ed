const {createElement: h} = React, A = antdMobile
const GLYPHS = {home: 'HomeOutlined', search: 'SearchOutlined', settings: 'SettingOutlined', delete: 'DeleteOutlined', edit: 'FormOutlined', add: 'PlusOutlined', close: 'CloseOutlined', back: 'ArrowLeftOutlined', user: 'TeamOutlined', bell: 'NotificationOutlined', star: 'HeartOutlined', more: 'MoreOutlined', save: 'CheckOutlined', download: 'CloudDownloadOutlined', folder: 'InboxOutlined', menu: 'AppstoreOutlined'}
const glyph = name => h(icons[GLYPHS[name]], {style: {fontSize: '22px'}})
const ui = {
  roles: {switch: '.adm-switch', checkbox: '.adm-checkbox', tab: '.adm-tabs-tab,.adm-tab-bar-item', button: 'button,.adm-button', input: '.adm-input'},
  h, icon: glyph,
  iconButton: name => h(A.Button, {key: name, size: 'small'}, glyph(name)),
  button: (name, kind) => h(A.Button, {size: 'small', color: kind === 'primary' ? 'primary' : 'default', fill: kind === 'text' ? 'none' : 'solid'}, name),
  input: hint => h('div', {style: {border: '1px solid rgba(128,128,128,.4)', borderRadius: '6px', padding: '6px 10px'}}, h(A.Input, {placeholder: hint})),
  choice: (label, on) => h(A.Checkbox, {checked: on}, label),
  tag: state => h(A.Tag, {color: 'primary'}, state),
  tabs: names => h(A.Tabs, {}, ...names.map(title => h(A.Tabs.Tab, {title, key: title}))),
  dialog: (title, words, answers) => h(A.Dialog, {visible: true, title, content: words, disableBodyScroll: false, bodyStyle: {transition: 'none'}, actions: [answers.map((name, key) => ({key, text: name}))]}),
  navbar: title => h(A.NavBar, {right: glyph('more')}, title),
  cell: (icon, label, toggled, on) => h('div', {'data-row': '1', key: label}, h(A.List.Item, {prefix: glyph(icon), clickable: !toggled, extra: toggled ? h(A.Switch, {checked: on}) : undefined}, label)),
  tabbar: (names, glyphs) => h('div', {style: {position: 'fixed', bottom: 0, left: 0, right: 0, borderTop: '1px solid rgba(128,128,128,.4)', background: 'var(--adm-color-background)'}}, h(A.TabBar, {}, ...names.map((name, index) => h(A.TabBar.Item, {key: name, icon: glyph(glyphs[index]), title: name})))),
  mount(page, make) {
    document.documentElement.setAttribute('data-prefers-color-scheme', page.dark ? 'dark' : 'light')
    document.body.style.background = 'var(--adm-color-background)'
    ReactDOM.createRoot(document.getElementById('app')).render(h(() => h('div', {style: {color: 'var(--adm-color-text)', fontSize: '15px'}}, make())))
  },
}
