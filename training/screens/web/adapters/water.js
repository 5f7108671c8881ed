const Library = classed({bare: true, slider: '', table: '', ownIconButtons: .4, tightIcons: true, progress: value => h('progress', {value, max: 100}), accordion: each => h('details', {open: each.open}, h('summary', {}, each.title), h('p', {}, each.body)),
  begin: order => Object.assign(document.body.style, {maxWidth: 'none', padding: '0', margin: '0'})})
