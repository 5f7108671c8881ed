// Vue components as plain nodes: each is rendered alone into a box without a box.
const Dom = {props: ['node'], render: () => Vue.h('span', {style: 'display:contents'}), mounted() { this.node && this.$el.append(this.node) }}
const toVue = kid => kid instanceof Node ? Vue.h(Dom, {node: kid}) : Array.isArray(kid) ? kid.map(toVue) : kid
let vueApp = Vue.createApp({render: () => null})
let vueWrap = vnode => vnode
function v(type, about, slots) {
  const host = h('div', {style: {display: 'contents'}})
  const made = slots === undefined ? undefined : typeof slots === 'function' ? () => toVue(slots()) : typeof slots === 'object' && !Array.isArray(slots) && !(slots instanceof Node) ? Object.fromEntries(Object.entries(slots).filter(([, kid]) => kid).map(([name, kid]) => [name, typeof kid === 'function' ? (...rest) => toVue(kid(...rest)) : () => toVue(kid)])) : () => toVue(slots)
  const vnode = vueWrap(Vue.h(type, about || {}, made))
  vnode.appContext = vueApp._context
  Vue.render(vnode, host)
  Stage.cleanups.push(() => Vue.render(null, host))
  return host
}
