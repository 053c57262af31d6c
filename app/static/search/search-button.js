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
  // What is typed while the search is loaded is part of the question.
  let typed = ''
  let entered = false
  const keep = (/** @type {KeyboardEvent} */ next) => {
    if (next.ctrlKey || next.metaKey || next.altKey || (next.key.length > 1 && next.key !== 'Enter')) return
    next.preventDefault()
    next.stopImmediatePropagation()
    if (next.key === 'Enter') entered = true
    else if (!entered) typed += next.key
  }
  addEventListener('keydown', keep, {capture: true})
  try {
    const {open} = await search()
    open(typed, entered)
  } finally {
    removeEventListener('keydown', keep, {capture: true})
  }
})
