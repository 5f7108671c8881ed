const {h, createApp} = Vue
const GLYPHS = {home: 'home-o', search: 'search', settings: 'setting-o', delete: 'delete-o', edit: 'edit', add: 'plus', close: 'cross', back: 'arrow-left', user: 'user-o', bell: 'bell', star: 'star-o', more: 'ellipsis', save: 'completed', download: 'down', folder: 'label-o', menu: 'wap-nav'}
const glyph = name => h(vant.Icon, {name: GLYPHS[name], size: 20})
const ui = {
  roles: {switch: '.van-switch', checkbox: '.van-checkbox', input: '.van-field', tab: '.van-tab,.van-tabbar-item'},
  h: (tag, about, ...kids) => h(tag, about, kids), icon: glyph,
  iconButton: name => h(vant.Button, {size: 'small', icon: GLYPHS[name]}),
  button: (name, kind) => h(vant.Button, {size: 'small', type: kind === 'primary' ? 'primary' : 'default', plain: kind === 'text'}, () => name),
  input: hint => h(vant.Field, {placeholder: hint, style: {border: '1px solid rgba(128,128,128,.4)', borderRadius: '6px'}}),
  choice: (label, on) => h(vant.Checkbox, {modelValue: on, shape: 'square'}, () => label),
  tag: state => h(vant.Tag, {type: 'primary'}, () => state),
  tabs: names => h(vant.Tabs, {active: 0}, () => names.map(title => h(vant.Tab, {title}))),
  dialog: (title, words, answers) => h(vant.Dialog.Component || vant.Dialog, {show: true, title, message: words, showCancelButton: true, cancelButtonText: answers[0], confirmButtonText: answers[1], transition: ''}),
  navbar: title => h(vant.NavBar, {title, leftArrow: true}, {right: () => glyph('more')}),
  cell: (icon, label, toggled, on) => h('div', {'data-row': '1'}, [h(vant.Cell, {title: label, isLink: !toggled, center: true}, {icon: () => h('span', {style: {marginRight: '10px'}}, [glyph(icon)]), ...(toggled ? {value: () => h(vant.Switch, {modelValue: on, size: '22px'})} : {})})]),
  tabbar: (names, icons) => h(vant.Tabbar, {modelValue: 0}, () => names.map((name, index) => h(vant.TabbarItem, {icon: GLYPHS[icons[index]]}, () => name))),
  mount(page, make) {
    document.body.style.background = page.dark ? '#000' : '#f7f8fa'
    document.body.style.color = page.dark ? '#eee' : '#323233'
    createApp({render: () => h(vant.ConfigProvider, {theme: page.dark ? 'dark' : 'light'}, () => make())}).mount('#app')
  },
}
