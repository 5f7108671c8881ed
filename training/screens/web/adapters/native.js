// Controls as the browser draws them, with no style sheet at all.
const Library = classed({bare: true, slider: '', table: '', ownIconButtons: .8, progress: value => h('progress', {value, max: 100}), accordion: each => h('details', {open: each.open}, h('summary', {}, each.title), h('p', {}, each.body))})
