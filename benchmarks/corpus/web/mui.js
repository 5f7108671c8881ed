const {createElement: h} = React, M = MaterialUI
const GLYPHS = {home: 'home', search: 'magnify', settings: 'cog', delete: 'delete', edit: 'pencil', add: 'plus', close: 'close', back: 'arrow-left', user: 'account', bell: 'bell', star: 'star-outline', more: 'dots-vertical', save: 'content-save', download: 'download', folder: 'folder', menu: 'menu'}
const glyph = name => h('i', {className: 'mdi mdi-' + GLYPHS[name], style: {fontSize: '22px', lineHeight: '22px'}})
const ui = {
  roles: {switch: '.MuiSwitch-root', checkbox: '.MuiFormControlLabel-root:has(.MuiCheckbox-root)', input: '.MuiInputBase-root'},
  h, icon: glyph,
  iconButton: name => h(M.IconButton, {key: name}, glyph(name)),
  button: (name, kind) => h(M.Button, {variant: {primary: 'contained', text: 'text'}[kind] || 'outlined'}, name),
  input: hint => h(M.TextField, {placeholder: hint, size: 'small', fullWidth: true}),
  choice: (label, on) => h(M.FormControlLabel, {label, control: h(M.Checkbox, {checked: on})}),
  tag: state => h(M.Chip, {label: state, size: 'small'}),
  tabs: names => h(M.Tabs, {value: 0}, ...names.map(label => h(M.Tab, {label, key: label}))),
  dialog: (title, words, answers) => h(M.Dialog, {open: true, transitionDuration: 0}, h(M.DialogTitle, {}, title), h(M.DialogContent, {}, words), h(M.DialogActions, {}, ...answers.map(name => h(M.Button, {key: name}, name)))),
  mount(page, make) {
    const theme = M.createTheme({palette: {mode: page.dark ? 'dark' : 'light'}})
    ReactDOM.createRoot(document.getElementById('app')).render(h(M.ThemeProvider, {theme}, h(M.CssBaseline), h(() => h('div', {}, make()))))
  },
}
