// How a page looks: colours, density, radii and the shapes that hand-made controls take. Drawn anew for every screen.
let Theme = {}
function makeTheme(dark, phone) {
  const hue = int(0, 360), accent = chance(0.12) ? (dark ? '#e5e5e5' : '#111') : `hsl(${hue} ${int(45, 95)}% ${dark ? int(45, 68) : int(32, 55)}%)`
  const tint = chance(0.4) ? int(2, 18) : 0
  const level = dark ? int(4, 22) : int(92, 100)
  const bg = `hsl(${hue} ${tint}% ${level}%)`, surface = `hsl(${hue} ${tint}% ${dark ? level + int(0, 9) : Math.min(100, level + int(-4, 6))}%)`
  const radius = pick([0, 2, 3, 4, 4, 6, 8, 8, 10, 12, 16, 24])
  const pad = real(0.7, 1.35)
  Theme = {
    dark, phone, accent, bg, surface, radius,
    fg: dark ? `hsl(0 0% ${int(80, 98)}%)` : `hsl(${hue} ${int(0, 15)}% ${int(4, 24)}%)`,
    muted: dark ? `hsl(0 0% ${int(50, 70)}%)` : `hsl(0 0% ${int(40, 62)}%)`,
    line: dark ? `hsl(${hue} ${tint}% ${level + int(8, 22)}%)` : `hsl(${hue} ${tint}% ${level - int(6, 22)}%)`,
    field: chance(0.5) ? surface : dark ? `hsl(0 0% ${level + 5}%)` : '#fff',
    onAccent: dark && accent === '#e5e5e5' ? '#111' : '#fff',
    danger: pick(['#d33', '#e5484d', '#c62828', '#f5222d']),
    size: phone ? int(13, 18) : int(11, 17), pad,
    shadow: pick(['none', 'none', '0 1px 3px rgba(0,0,0,.15)', '0 2px 8px rgba(0,0,0,.18)', '0 8px 24px rgba(0,0,0,.2)']),
    font: pick(["system-ui, 'Noto Sans CJK SC', sans-serif", "'Noto Sans', 'Noto Sans CJK SC', sans-serif", "'Liberation Sans', 'Noto Sans CJK SC', sans-serif", "'DejaVu Sans', 'Noto Sans CJK SC', sans-serif", "'Noto Serif', 'Noto Serif CJK SC', serif", "'Noto Sans Mono', 'Noto Sans CJK SC', monospace", "'Roboto', 'Noto Sans', 'Noto Sans CJK SC', sans-serif"].slice(0, chance(0.1) ? 7 : 4)),
    button: pick(['filled', 'outline', 'soft', 'raised', 'gradient', 'pill', 'square', 'text']),
    input: pick(['box', 'box', 'underline', 'filled', 'pill', 'sunken', 'bare']),
    toggle: pick(['ios', 'material', 'outline', 'square', 'text']),
    check: pick(['native', 'square', 'rounded', 'outline', 'circle']),
    radio: pick(['native', 'dot', 'ring', 'tick']),
    slider: pick(['native', 'thin', 'thick', 'square', 'ring']),
    link: {color: pick([accent, accent, dark ? '#8ab4f8' : '#1a0dab', dark ? '#8ab4f8' : '#06c', 'inherit']), textDecoration: pick(['underline', 'none', 'none']), fontWeight: chance(0.15) ? '600' : 'inherit'},
    tabs: pick(['underline', 'pill', 'box', 'segment', 'text', 'line-top']),
    list: pick(['lines', 'cards', 'plain', 'inset', 'striped']),
    arrow: pick(['chevron', 'icon', 'triangle']),
    iconButton: pick(['bare', 'bare', 'bare', 'outline', 'soft', 'round', 'filled']),
  }
  Stage.iconSize = int(14, 26)
  const root = document.documentElement, body = document.body
  root.lang = Stage.language
  root.style.colorScheme = dark ? 'dark' : 'light'
  for (const name of ['accent', 'bg', 'surface', 'fg', 'muted', 'line', 'field']) root.style.setProperty('--t-' + name, Theme[name])
  root.classList.toggle('dark', dark)
  root.dataset.theme = dark ? 'dark' : 'light'
  root.style.fontSize = ''
  Object.assign(body.style, {margin: '0', background: bg, color: Theme.fg, fontFamily: Theme.font, fontSize: Theme.size + 'px', lineHeight: '1.45', minHeight: '100vh', overflowX: phone ? 'hidden' : ''})
  let sheet = document.getElementById('bars')
  if (!sheet) document.head.append(sheet = h('style', {id: 'bars'}))
  sheet.textContent = `::placeholder{color:${Theme.muted};opacity:1}` + bars()
  return Theme
}
// How scroll bars look: the browser's own, plain, as old windows drew them with arrows, thin pills, or pills with room around.
function bars() {
  const thick = int(5, 16), kind = pick(['own', 'own', 'plain', 'classic', 'pill', 'inset'])
  const size = `::-webkit-scrollbar{width:${thick}px;height:${thick}px}`, round = `border-radius:${thick / 2}px`
  const grey = Theme.dark ? '#666' : pick(['#c1c1c1', '#a8a8a8', '#cdcdcd']), ground = Theme.dark ? '#2b2b2b' : '#f1f1f1'
  return {
    own: '',
    plain: `${size}::-webkit-scrollbar-thumb{background:${Theme.muted};${pick(['', round])}}::-webkit-scrollbar-track{background:${pick(['transparent', Theme.line, Theme.surface])}}`,
    classic: `::-webkit-scrollbar{width:${int(14, 18)}px;height:${int(14, 18)}px}::-webkit-scrollbar-track{background:${ground}}::-webkit-scrollbar-thumb{background:${grey};${pick(['', 'border:1px outset #ddd'])}}::-webkit-scrollbar-button:single-button{height:16px;width:16px;background:${pick([ground, grey])}}`,
    pill: `${size}::-webkit-scrollbar-thumb{background:${grey};${round}}::-webkit-scrollbar-track{background:${pick(['transparent', ground])};${round}}`,
    inset: `::-webkit-scrollbar{width:14px;height:14px}::-webkit-scrollbar-track{background:${pick(['transparent', ground])}}::-webkit-scrollbar-thumb{background:${grey};border-radius:7px;border:${int(2, 4)}px solid transparent;background-clip:content-box}`,
  }[kind]
}
const px = value => Math.round(value * Theme.pad) + 'px'
const border = () => `${pick([1, 1, 1, 2])}px solid ${Theme.line}`
