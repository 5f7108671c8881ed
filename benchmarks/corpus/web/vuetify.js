const {h, createApp} = Vue, V = Vuetify.components
const GLYPHS = {home: 'home', search: 'magnify', settings: 'cog-outline', delete: 'trash-can-outline', edit: 'pencil-outline', add: 'plus', close: 'close', back: 'chevron-left', user: 'account-outline', bell: 'bell-outline', star: 'star', more: 'dots-horizontal', save: 'content-save-outline', download: 'tray-arrow-down', folder: 'folder-outline', menu: 'menu'}
const glyph = name => h(V.VIcon, {icon: 'mdi-' + GLYPHS[name], size: 20})
const ui = {
  roles: {checkbox: '.v-checkbox', tab: '.v-tab', input: '.v-field', switch: '.v-switch'},
  h: (tag, about, ...kids) => h(tag, about, kids), icon: glyph,
  iconButton: name => h(V.VBtn, {icon: 'mdi-' + GLYPHS[name], variant: 'text', size: 'small'}),
  button: (name, kind) => h(V.VBtn, kind === 'text' ? {variant: 'text', size: 'small'} : {color: kind || undefined, variant: kind ? 'flat' : 'outlined'}, () => name),
  input: hint => h(V.VTextField, {placeholder: hint, density: 'compact', hideDetails: true}),
  choice: (label, on) => h(V.VCheckbox, {modelValue: on, label, hideDetails: true}),
  tag: state => h(V.VChip, {size: 'small'}, () => state),
  tabs: names => h(V.VTabs, {modelValue: names[0]}, () => names.map(label => h(V.VTab, {value: label}, () => label))),
  dialog: (title, words, answers) => h(V.VDialog, {modelValue: true, width: 420, transition: false}, () => h(V.VCard, {title, text: words}, {actions: () => answers.map(name => h(V.VBtn, {}, () => name))})),
  mount(page, make) {
    const vuetify = Vuetify.createVuetify({theme: {defaultTheme: page.dark ? 'dark' : 'light'}})
    createApp({render: () => h(V.VApp, {}, () => make())}).use(vuetify).mount('#app')
  },
}
