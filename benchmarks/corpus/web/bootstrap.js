const GLYPHS = {home: 'house', search: 'search', settings: 'gear', delete: 'trash', edit: 'pencil', add: 'plus-lg', close: 'x-lg', back: 'chevron-left', user: 'person', bell: 'bell', star: 'star', more: 'three-dots', save: 'floppy', download: 'download', folder: 'folder', menu: 'list'}
const glyph = name => h('i', {class: 'bi bi-' + GLYPHS[name], 'data-icon-name': name, style: {fontSize: '18px', lineHeight: '1'}})
let count = 0
const ui = {
  roles: {tab: '.nav-link', input: '.form-control', checkbox: '.form-check'},
  h, icon: glyph,
  iconButton: name => h('button', {class: 'btn btn-sm'}, glyph(name)),
  button: (name, kind) => h('button', {class: 'btn ' + ({primary: 'btn-primary', text: 'btn-link btn-sm'}[kind] || 'btn-outline-secondary')}, name),
  input: hint => h('input', {class: 'form-control', placeholder: hint}),
  choice: (label, on) => h('div', {class: 'form-check'}, h('input', {class: 'form-check-input', type: 'checkbox', checked: on, id: 'c' + ++count}), h('label', {class: 'form-check-label', for: 'c' + count}, label)),
  tag: state => h('span', {class: 'badge text-bg-info'}, state),
  tabs: names => h('ul', {class: 'nav nav-tabs'}, ...names.map((name, index) => h('li', {class: 'nav-item'}, h('button', {class: 'nav-link' + (index ? '' : ' active')}, name)))),
  dialog: (title, words, answers) => h('div', {}, h('div', {class: 'modal-backdrop show'}), h('div', {class: 'modal', style: {display: 'block'}}, h('div', {class: 'modal-dialog'}, h('div', {class: 'modal-content'},
    h('div', {class: 'modal-header'}, h('h5', {class: 'modal-title'}, title), h('button', {class: 'btn btn-sm'}, glyph('close'))), h('div', {class: 'modal-body'}, words),
    h('div', {class: 'modal-footer'}, ...answers.map((name, index) => h('button', {class: 'btn ' + (index ? 'btn-danger' : 'btn-secondary')}, name))))))),
  mount(page, make) { document.documentElement.dataset.bsTheme = page.dark ? 'dark' : 'light'; document.getElementById('app').append(make()) },
}
