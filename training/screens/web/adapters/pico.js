const Library = classed({
  bare: true, button: {primary: '', default: ['secondary', 'outline', 'outline secondary'], text: ['contrast outline', 'outline'], danger: 'contrast'}, tightIcons: true, slider: '', table: ['', 'striped'],
  toggle: (on, disabled) => h('input', {type: 'checkbox', role: 'switch', '.checked': on, disabled, style: {margin: 0}}), begin: order => { document.documentElement.setAttribute('data-theme', order.dark ? 'dark' : 'light'); if (chance(.7)) document.documentElement.style.fontSize = Theme.size + 'px' },
  progress: value => h('progress', {value, max: 100, style: {flex: 1, margin: 0}}), card: (head, body, foot) => h('article', {style: {margin: 0}}, head && h('header', {}, head), body, foot && h('footer', {}, foot)),
  dialog: ({title, body, buttons, width}) => h('dialog', {open: true, style: {zIndex: 900}}, h('article', {'data-ui': 'window', style: {width}}, h('header', {}, title), body, h('footer', {}, row({justifyContent: 'flex-end'}, buttons)))), accordion: each => h('details', {open: each.open}, h('summary', {}, each.title), h('p', {}, each.body)),
}, {rules: [['', 'dialog[open]'], ['window', 'dialog>article']]})
