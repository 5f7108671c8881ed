// What every page is made with: a seeded chance, words, icons and a short way to make elements.
const Stage = {icons: [], named: {}, words: {}, pictures: [], cleanups: []}
let random = () => 0.5

function seeded(seed) { // mulberry32, public domain
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = state
    value = Math.imul(value ^ (value >>> 15), value | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}
const chance = share => random() < share
const int = (low, high) => low + Math.floor(random() * (high - low + 1))
const real = (low, high) => low + random() * (high - low)
const pick = list => list[Math.floor(random() * list.length)]
const times = (count, make) => Array.from({length: count}, (_, index) => make(index))
function sample(list, count) {
  const left = [...list], taken = []
  while (left.length && taken.length < count) taken.push(left.splice(Math.floor(random() * left.length), 1)[0])
  return taken
}
function weighted(table) { // {name: weight}
  const entries = Object.entries(table)
  let point = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight] of entries) if ((point -= weight) <= 0) return name
  return entries[0][0]
}

// h('button.btn.primary', {disabled: true, style: {...}}, 'text', node, [nodes])
function h(what, about, ...kids) {
  const [tag, ...classes] = what.split('.')
  const node = document.createElement(tag || 'div')
  if (classes.length) node.className = classes.join(' ')
  for (const [name, value] of Object.entries(about || {})) {
    if (value === undefined || value === null || value === false) continue
    if (name === 'style' && typeof value === 'object') for (const [key, entry] of Object.entries(value)) key.startsWith('--') ? node.style.setProperty(key, entry) : (node.style[key] = entry)
    else if (name === 'class') node.classList.add(...value.split(' ').filter(Boolean))
    else if (name === 'html') node.innerHTML = value
    else if (name.startsWith('.')) node[name.slice(1)] = value
    else node.setAttribute(name, value === true ? '' : value)
  }
  for (const kid of kids.flat(5)) if (kid !== null && kid !== undefined && kid !== false && kid !== '') node.append(kid)
  return node
}
const row = (style, ...kids) => h('div', {style: {display: 'flex', alignItems: 'center', gap: '8px', minWidth: 0, ...style}}, kids)
const column = (style, ...kids) => h('div.column', {style: {display: 'flex', flexDirection: 'column', minWidth: 0, ...style}}, kids)
const span = (text, style) => h('span', {style: style || {}}, text)
const grow = () => h('div', {style: {flex: 1}})

// An icon of the page's set: by the idea it stands for, or any.
function iconOf(idea) {
  const known = idea && Stage.named[idea]
  return known || pick(Stage.icons)
}
const IDEAS = () => Object.keys(Stage.named)
const idea = () => (IDEAS().length && chance(0.7) ? pick(IDEAS()) : null)
function icon(what, size, style) {
  const chosen = typeof what === 'object' && what ? what : iconOf(what)
  const px = size || Stage.iconSize || 20
  const host = h('span', {style: {display: 'inline-flex', flex: 'none', lineHeight: 0, ...style}})
  host.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" data-icon="${chosen.name}" data-set="${chosen.set}" width="${px * Math.min(1.6, chosen.width / chosen.height)}" height="${px}" viewBox="${chosen.left} ${chosen.top} ${chosen.width} ${chosen.height}" style="flex:none">${chosen.body}</svg>`
  return host
}
const maybeIcon = (share, what, size) => (chance(share) ? icon(what, size) : null)

// Words of the page's language.
const words = {
  any: kind => pick(Stage.words[kind]),
  action: () => pick(Stage.words.actions),
  noun: () => pick(Stage.words.nouns),
  sentence: () => pick(Stage.words.sentences),
  text: count => times(count, () => pick(Stage.words.sentences)).join(Stage.words.space ? ' ' : ''),
  name: () => pick(Stage.words.names),
  hint: () => (chance(0.6) ? pick(Stage.words.hints) : pick(Stage.words.nouns)),
  title: () => (chance(0.5) ? pick(Stage.words.nouns) : pick(Stage.words.nouns) + (Stage.words.space ? ' ' : '') + pick(Stage.words.nouns)),
  setting: () => pick(Stage.words.settings),
  state: () => pick(Stage.words.states),
  date: () => pick([`20${int(15, 28)}-${String(int(1, 12)).padStart(2, 0)}-${String(int(1, 28)).padStart(2, 0)}`, `${int(1, 28)}.${int(1, 12)}.20${int(10, 28)}`, `${int(1, 12)}/${int(1, 28)}`]),
  time: () => `${String(int(0, 23)).padStart(2, 0)}:${String(int(0, 59)).padStart(2, 0)}`,
  number: () => pick([int(0, 9), int(10, 999), int(1000, 99999).toLocaleString('en'), `${real(0, 100).toFixed(1)}%`, `${real(0, 99).toFixed(2)}`]) + '',
  money: () => pick(['¥', '$', '€', '£', '￥']) + real(1, 2000).toFixed(chance(0.7) ? 2 : 0),
  file: () => `${pick(['report', 'IMG_' + int(1000, 9999), 'draft', 'notes', 'main', 'invoice', 'setup', 'README', 'backup', 'index', pick(Stage.words.nouns).replace(/ /g, '_')])}${chance(0.3) ? '_' + int(1, 30) : ''}.${pick(['pdf', 'docx', 'png', 'jpg', 'py', 'js', 'txt', 'zip', 'xlsx', 'mp4', 'md'])}`,
  mail: () => `${pick(['ann', 'li.wei', 'bob', 'info', 'support', 'm.mueller', 'sato', 'ivan'])}${int(1, 99)}@${pick(['example.com', 'mail.test', 'firma.de', 'corp.cn'])}`,
  cell: () => pick([words.noun, words.name, words.date, words.time, words.number, words.money, words.state, words.file, words.mail])(),
}

function picture(width, height, style) {
  const about = {'data-ui': 'image', style: {width, height, objectFit: 'cover', display: 'block', flex: 'none', ...style}}
  if (Stage.pictures.length && chance(0.75)) return h('img', {...about, src: pick(Stage.pictures)})
  const hue = int(0, 360), other = int(0, 360)
  const shapes = times(int(2, 7), () => pick([
    `<circle cx="${int(0, 100)}" cy="${int(0, 100)}" r="${int(5, 45)}" fill="hsl(${int(0, 360)} ${int(20, 90)}% ${int(20, 85)}%)"/>`,
    `<rect x="${int(-10, 90)}" y="${int(-10, 90)}" width="${int(10, 90)}" height="${int(10, 90)}" fill="hsl(${int(0, 360)} ${int(20, 90)}% ${int(20, 85)}%)" transform="rotate(${int(0, 90)} 50 50)"/>`,
    `<path d="M0 ${int(40, 95)} Q ${int(10, 50)} ${int(0, 90)} ${int(50, 70)} ${int(20, 90)} T 100 ${int(20, 90)} V100 H0Z" fill="hsl(${int(0, 360)} ${int(20, 70)}% ${int(20, 70)}%)"/>`])).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" preserveAspectRatio="none"><defs><linearGradient id="g" x2="${int(0, 1)}" y2="1"><stop stop-color="hsl(${hue} ${int(20, 90)}% ${int(20, 90)}%)"/><stop offset="1" stop-color="hsl(${other} ${int(20, 90)}% ${int(20, 90)}%)"/></linearGradient></defs><rect width="100" height="100" fill="url(#g)"/>${shapes}</svg>`
  return h('img', {...about, src: 'data:image/svg+xml,' + encodeURIComponent(svg)})
}
function avatar(size) {
  const round = pick(['50%', '50%', '50%', '6px', '20%'])
  if (chance(0.55)) return picture(size + 'px', size + 'px', {borderRadius: round})
  return h('div', {style: {width: size + 'px', height: size + 'px', borderRadius: round, flex: 'none', display: 'flex', alignItems: 'center', justifyContent: 'center', color: '#fff', fontSize: size * 0.42 + 'px', background: `hsl(${int(0, 360)} ${int(30, 80)}% ${int(35, 60)}%)`}}, words.name()[0])
}
