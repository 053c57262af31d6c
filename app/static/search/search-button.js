// Loads the search at the first sign that somebody wants it: pointer or focus on its button, or its key.
import * as store from '../shared/store.js'

const TEXT = 'input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [contenteditable]'
const button = document.querySelector('[data-search]')
const search = () => import('./search.js')

for (const sign of ['pointerenter', 'focus']) button.addEventListener(sign, search, {once: true})
button.addEventListener('click', async () => (await search()).open())

document.addEventListener('keydown', async event => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
  if (store.get('slash') === 'off' || /** @type {Element} */ (event.composedPath()[0]).matches?.(TEXT)) return
  event.preventDefault()
  ;(await search()).open()
})
