const GLYPHS = {home: 'house', search: 'search', settings: 'gear', delete: 'trash', edit: 'pencil', add: 'plus', close: 'xmark', back: 'chevron_left', user: 'person', bell: 'bell', star: 'star', more: 'ellipsis', save: 'tray_arrow_down', download: 'arrow_down_circle', folder: 'folder', menu: 'list_bullet'}
const glyph = name => h('i', {class: 'f7-icons', style: {fontSize: '24px', width: '24px', height: '24px'}}, GLYPHS[name])
const ui = {
  roles: {button: '.button,.dialog-button,.link', switch: '.toggle', tab: '.tab-link', checkbox: '.item-checkbox', input: '.fieldbox'},
  h, icon: glyph,
  iconButton: name => h('a', {class: 'link'}, glyph(name)),
  button: (name, kind) => h('a', {class: 'button ' + ({primary: 'button-fill', text: ''}[kind] ?? 'button-outline'), style: {width: 'auto'}}, name),
  input: hint => h('div', {class: 'fieldbox', style: {border: '1px solid rgba(128,128,128,.4)', borderRadius: '8px', padding: '8px 10px'}}, h('input', {placeholder: hint, style: {width: '100%'}})),
  choice: (label, on) => h('label', {class: 'item-checkbox item-content', style: {display: 'flex', gap: '8px', alignItems: 'center', paddingLeft: '0'}}, h('input', {type: 'checkbox', checked: on}), h('i', {class: 'icon icon-checkbox'}), h('span', {}, label)),
  tag: state => h('span', {class: 'badge'}, state),
  tabs: names => h('div', {class: 'segmented'}, ...names.map((name, index) => h('a', {class: 'button tab-link' + (index ? '' : ' button-active')}, name))),
  dialog: (title, words, answers) => h('div', {}, h('div', {class: 'dialog-backdrop backdrop-in'}), h('div', {class: 'dialog dialog-buttons-2 modal-in', style: {display: 'block', opacity: 1, transform: 'translate3d(0,-50%,0) scale(1)', transition: 'none'}}, h('div', {class: 'dialog-inner'}, h('div', {class: 'dialog-title'}, title), h('div', {class: 'dialog-text'}, words)), h('div', {class: 'dialog-buttons'}, ...answers.map(name => h('span', {class: 'dialog-button'}, name))))),
  navbar: title => h('div', {style: {display: 'flex', justifyContent: 'space-between', alignItems: 'center', height: '52px', padding: '0 12px', borderBottom: '1px solid rgba(128,128,128,.3)'}}, h('a', {class: 'link'}, glyph('back')), h('div', {style: {fontSize: '18px', fontWeight: 600}}, title), h('a', {class: 'link'}, glyph('more'))),
  cell: (icon, label, toggled, on) => h('div', {class: 'list', style: {margin: 0}}, h('ul', {}, h('li', {'data-row': '1'}, h('div', {class: 'item-content'}, h('div', {class: 'item-media'}, glyph(icon)), h('div', {class: 'item-inner'}, h('div', {class: 'item-title'}, label), toggled ? h('div', {class: 'item-after'}, h('label', {class: 'toggle'}, h('input', {type: 'checkbox', checked: on}), h('span', {class: 'toggle-icon'}))) : null))))),
  tabbar: (names, glyphs) => h('div', {style: {position: 'fixed', bottom: 0, left: 0, right: 0, display: 'flex', justifyContent: 'space-around', padding: '8px 0', borderTop: '1px solid rgba(128,128,128,.3)'}}, ...names.map((name, index) => h('a', {class: 'tab-link', style: {display: 'flex', flexDirection: 'column', alignItems: 'center', fontSize: '11px'}}, glyph(glyphs[index]), h('span', {}, name)))),
  mount(page, make) {
    document.documentElement.classList.add('ios')
    const root = document.getElementById('app'); root.className = 'framework7-root'; root.style.overflow = 'visible'
    document.body.style.background = page.dark ? '#000' : '#fff'
    document.body.style.color = page.dark ? '#fff' : '#000'
    root.append(make())
  },
}
