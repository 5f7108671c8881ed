// React components as plain nodes: each is a small root of its own in a box without a box.
const {createElement: e} = React
const Dom = ({node}) => e('span', {style: {display: 'contents'}, ref: host => host && node && host.firstChild !== node && host.replaceChildren(node)})
const toReact = kid => kid instanceof Node ? e(Dom, {node: kid, key: Math.random()}) : Array.isArray(kid) ? kid.map(toReact) : kid
let reactWrap = kid => kid
function r(type, about, ...kids) {
  const host = h('div', {style: {display: 'contents'}})
  const root = ReactDOM.createRoot(host)
  ReactDOM.flushSync(() => root.render(reactWrap(e(type, about || {}, ...kids.filter(each => each !== null && each !== undefined && each !== false).map(toReact)))))
  Stage.cleanups.push(() => root.unmount())
  return host
}
