// Records which pages the reader has finished, and which route they chose. Stored in this browser.
import * as store from '../../shared/store.js'

const READ = 'read',
  ROUTE = store.ROUTE

const ends = new Map() // a route through the site → the link after its last page

const isRead = (/** @type {string} */ slug) => Boolean(store.answers()[READ]?.[slug])

function show() {
  const all = store.answers()
  for (const item of document.querySelectorAll('[data-progress]')) {
    const {progress, exercises} = item.dataset
    const total = Number(exercises),
      done = Math.min(Object.keys(all[progress] ?? {}).length, total)
    const parts = [isRead(progress) && 'read', done && `${done} of ${total} answered`].filter(Boolean)
    item.querySelector('.progress-note').textContent = parts.join(', ')
  }
  for (const item of document.querySelectorAll('[data-read]'))
    item.querySelector('.read-note').textContent = isRead(item.dataset.read) ? 'read' : ''
  for (const nav of document.querySelectorAll('nav.following')) nav.hidden = nav.dataset.route !== store.get(ROUTE)
  for (const path of document.querySelectorAll('.path[data-route]')) lead(path)
}

// A route on the home page: how far it has been read, and where it continues.
/** @param {HTMLElement} path */
function lead(path) {
  const links = [...path.querySelectorAll('[data-read]')].filter(item => item.querySelector('a'))
  const next = links.find(item => !isRead(item.dataset.read)),
    place = path.querySelector('.lead')
  if (!ends.has(path)) ends.set(path, place.querySelector('a'))
  const end = ends.get(path),
    read = links.filter(item => isRead(item.dataset.read)).length
  const chosen = path.dataset.route === store.get(ROUTE)
  path.toggleAttribute('data-chosen', chosen)
  const link = (/** @type {string} */ href, /** @type {string} */ textContent) =>
    Object.assign(document.createElement('a'), {href, textContent})
  const words = next
    ? [
        chosen || read ? `${read} of ${links.length} read. Go on with ` : 'Begin with ',
        link(next.querySelector('a').href, next.querySelector('a').textContent),
      ]
    : ['Read to its end. ', end]
  place.replaceChildren(...words)
  place.hidden = false
}

for (const path of document.querySelectorAll('.path[data-route]'))
  path.addEventListener('click', event => {
    if (/** @type {Element} */ (event.target).closest('a')) store.set(ROUTE, path.dataset.route)
  })

for (const button of document.querySelectorAll('nav.following button'))
  button.addEventListener('click', () => {
    store.set(ROUTE, '')
    show()
  })

// A page of a route, or of the list of chapters, counts as read when its end has been in view.
const end = document.querySelector('nav.turn, footer.site')
if (document.querySelector(`[data-read="${store.page}"]`)) {
  const observer = new IntersectionObserver(entries => {
    if (!entries.some(entry => entry.isIntersecting) || !scrollY) return
    observer.disconnect()
    if (!isRead(store.page)) store.keep(store.page, true, READ)
  })
  observer.observe(end)
}

document.addEventListener('answered', show)
store.whenKeptElsewhere(show)
show()
