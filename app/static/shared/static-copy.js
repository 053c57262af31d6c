// Whether this is a static copy of the site without a server, and what it says about servers.
export const STATIC = document.documentElement.hasAttribute('data-static')

// A link to a page of this site, as in `./#about` or `recipes?recipes.blocks=12&v=2`: in a static copy, pages are files.
/** @param {string} link @returns {string} */
export function pageLink(link) {
  if (!STATIC) return link
  return link.replace(/^(?:\.\/|[a-z0-9-]+)/, page => (page === './' ? 'index.html' : `${page}.html`))
}

// Where there is a server: at the address that the copy was made with, or on the reader's own computer.
/** @param {string} place what the link leads to: a figure of this page @returns {(Node | string)[]} */
export function elsewhere(place) {
  const {live} = document.documentElement.dataset
  if (live) {
    const {page} = document.body.dataset
    const {href} = new URL(`${page === 'home' ? './' : page}#${place}`, live)
    return ['This copy of the site has no server to compute on. ', make('a', {href, textContent: 'Where there is one'})]
  }
  const command = make('code', {textContent: 'make serve'})
  return [
    'This copy of the site has no server to compute on. In a folder with the project’s code, ',
    command,
    ' starts one on your own computer.',
  ]
}

/** @type {<K extends keyof HTMLElementTagNameMap>(tag: K, values: object) => HTMLElementTagNameMap[K]} */
const make = (tag, values) => Object.assign(document.createElement(tag), values)
