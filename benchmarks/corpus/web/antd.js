const {createElement: h} = React
const GLYPHS = {home: 'HomeOutlined', search: 'SearchOutlined', settings: 'SettingOutlined', delete: 'DeleteOutlined', edit: 'EditOutlined', add: 'PlusOutlined', close: 'CloseOutlined', back: 'LeftOutlined', user: 'UserOutlined', bell: 'BellOutlined', star: 'StarOutlined', more: 'EllipsisOutlined', save: 'SaveOutlined', download: 'DownloadOutlined', folder: 'FolderOutlined', menu: 'MenuOutlined'}
const glyph = name => h(icons[GLYPHS[name]], {style: {fontSize: '18px'}})
const ui = {
  roles: {switch: '.ant-switch', checkbox: '.ant-checkbox-wrapper', tab: '.ant-tabs-tab'},
  h, icon: glyph,
  iconButton: name => h(antd.Button, {key: name, icon: glyph(name), type: 'text'}),
  button: (name, kind) => h(antd.Button, {type: kind || 'default'}, name),
  input: hint => h(antd.Input, {placeholder: hint}),
  choice: (label, on) => h(antd.Checkbox, {checked: on}, label),
  tag: state => h(antd.Tag, {color: 'blue'}, state),
  tabs: names => h(antd.Tabs, {items: names.map(label => ({key: label, label}))}),
  dialog: (title, words, answers) => h(antd.Modal, {open: true, title, transitionName: '', maskTransitionName: '', cancelText: answers[0], okText: answers[1]}, words),
  mount(page, make) {
    document.body.style.background = page.dark ? '#141414' : '#fff'
    const theme = {algorithm: page.dark ? antd.theme.darkAlgorithm : antd.theme.defaultAlgorithm, token: {motion: false}}
    ReactDOM.createRoot(document.getElementById('app')).render(h(antd.ConfigProvider, {theme}, h(() => h('div', {style: {color: page.dark ? '#ddd' : '#222', fontSize: '14px'}}, make()))))
  },
}
