const {h, createApp, resolveComponent} = Vue, E = ElementPlus, I = ElementPlusIconsVue
const GLYPHS = {home: 'House', search: 'Search', settings: 'Setting', delete: 'Delete', edit: 'Edit', add: 'Plus', close: 'Close', back: 'ArrowLeft', user: 'User', bell: 'Bell', star: 'Star', more: 'MoreFilled', save: 'Finished', download: 'Download', folder: 'Folder', menu: 'Menu'}
const glyph = name => h(E.ElIcon, {size: 18}, () => h(I[GLYPHS[name]]))
const ui = {
  roles: {switch: '.el-switch', checkbox: '.el-checkbox', tab: '.el-tabs__item', input: '.el-input'},
  h: (tag, about, ...kids) => h(tag, about, kids), icon: glyph,
  iconButton: name => h(E.ElButton, {text: true, circle: true}, () => glyph(name)),
  button: (name, kind) => h(E.ElButton, kind === 'text' ? {link: true, type: 'primary'} : {type: kind}, () => name),
  input: hint => h(E.ElInput, {placeholder: hint}),
  choice: (label, on) => h(E.ElCheckbox, {modelValue: on, label}),
  tag: state => h(E.ElTag, {}, () => state),
  tabs: names => h(E.ElTabs, {modelValue: names[0]}, () => names.map(label => h(E.ElTabPane, {label, name: label}))),
  dialog: (title, words, answers) => h(E.ElDialog, {modelValue: true, title, width: '420px', appendToBody: true}, {default: () => words, footer: () => answers.map((name, index) => h(E.ElButton, {type: index ? 'primary' : ''}, () => name))}),
  mount(page, make) {
    document.body.style.background = page.dark ? '#141414' : '#fff'
    document.body.style.color = page.dark ? '#ddd' : '#333'
    createApp({render: make}).use(E).mount('#app')
  },
}
