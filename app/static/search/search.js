// Full-text search of the site in this browser: the index is a file next to the pages. A field with a list below it:
// the focus stays in the field, arrow keys choose, Enter opens, Escape closes.
import MiniSearch from './minisearch/index.js'
import * as store from '../shared/store.js'
import {pageLink} from '../shared/static-copy.js'

const SITE = new URL('../../../', import.meta.url)
const MOST = 20
const FEW = 6 // if fewer places than this contain all words, places with some of the words follow
const BEFORE = 60
const LENGTH = 170
const LONG = 4
const SLACK = 0.2 // share of a long word's letters that may differ
/** @type {Record<string, string>} */
const KINDS = {
  page: 'Page',
  section: 'Section',
  figure: 'Figure',
  example: 'Worked example',
  claim: 'Claim',
  term: 'Glossary',
  paper: 'Reference',
  work: 'Work',
}
const LISTED = new Set(['term', 'paper']) // kinds that say where they are listed
/** @type {Record<string, number>} */
const WEIGHTS = {page: 1.6, term: 1.4, section: 1.1, paper: 0.9} // what readers more often mean
const WORD = /[\p{L}\p{N}]+/gu

const fold = (/** @type {string} */ word) => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
const words = (/** @type {string} */ text) => text.normalize('NFKC').match(WORD) ?? []

/** @type {<K extends keyof HTMLElementTagNameMap>(tag: K, values?: object, ...children: (Node | string)[]) => HTMLElementTagNameMap[K]} */
const make = (tag, values = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), values)
  element.append(...children)
  return element
}

const input = make('input', {
  type: 'search',
  id: 'search-for',
  autocomplete: 'off',
  spellcheck: false,
  enterKeyHint: 'go',
  placeholder: 'Search the site',
})
input.setAttribute('role', 'combobox')
input.setAttribute('aria-controls', 'search-found')
input.setAttribute('autocapitalize', 'off')
Object.assign(input, {
  ariaLabel: 'Search the site',
  ariaExpanded: 'false',
  ariaAutoComplete: 'list',
  ariaHasPopup: 'listbox',
})
const list = make('div', {
  id: 'search-found',
  className: 'found',
  role: 'listbox',
  ariaLabel: 'What was found',
  hidden: true,
})
const statusLine = make('p', {className: 'said'})
statusLine.setAttribute('role', 'status')
const slash = make('input', {type: 'checkbox', checked: store.get('slash') !== 'off'})
const close = make('button', {type: 'button', className: 'close', textContent: 'Close'})
const dialog = make(
  'dialog',
  {className: 'search', ariaLabel: 'Search'},
  make('div', {className: 'ask'}, input, close),
  list,
  statusLine,
  make(
    'p',
    {className: 'keys'},
    '↑ ↓ choose, Enter opens, Esc closes. ',
    make('label', {}, slash, ' the key / opens this'),
  ),
)
document.body.append(dialog)

/** @type {SearchEntry[]} */
let entries = []
/** @type {MiniSearch<SearchEntry & {place: number}> | null} */
let index = null
/** @type {Promise<void> | null} */
let loading = null
/** Results for what is in the field: Enter waits for them. */
let searching = Promise.resolve()
let active = -1

async function load() {
  const answer = await fetch(new URL('search.json', SITE))
  if (!answer.ok) throw new Error(`the index is not there: ${answer.status}`)
  entries = await answer.json()
  index = new MiniSearch({
    fields: ['title', 'anchor', 'text', 'more', 'where'],
    idField: 'place',
    tokenize: words,
    processTerm: fold,
    extractField: (entry, /** @type {string} */ field) =>
      (field === 'where' ? entry.within?.join(' ') : entry[/** @type {keyof SearchEntry} */ (field)]) ?? '',
    searchOptions: {
      boost: {title: 6, anchor: 2, where: 0.5},
      boostDocument: place => WEIGHTS[entries[place].kind] ?? 1,
      prefix: true,
      fuzzy: term => (term.length > LONG ? SLACK : false),
      combineWith: 'AND',
    },
  })
  index.addAll(entries.map((entry, place) => ({...entry, place})))
}

function ready() {
  loading ??= load().catch(error => {
    loading = null // the next search tries again
    throw error
  })
  return loading
}

/** @param {SearchEntry} entry */
function address({page, anchor}) {
  const url = new URL(pageLink(page === 'home' ? './' : page), SITE)
  url.hash = anchor ?? ''
  return url.href
}

// The text with its matches marked; a long one is cut around the first match.
/** @param {string} text @param {Set<string>} terms @param {number} [length] */
function marked(text, terms, length = Infinity) {
  const hits = [...text.matchAll(WORD)].filter(match => terms.has(fold(match[0].normalize('NFKC'))))
  const first = hits[0]?.index ?? 0
  const from = text.length > length && first > BEFORE ? text.lastIndexOf(' ', first - BEFORE) + 1 : 0
  const limit = from + length
  const to = limit < text.length ? text.lastIndexOf(' ', limit) : text.length
  const fragment = document.createDocumentFragment()
  let at = from
  if (from) fragment.append('… ')
  for (const {index: start, 0: word} of hits) {
    if (start < at || start + word.length > to) continue
    fragment.append(text.slice(at, start), make('mark', {textContent: word}))
    at = start + word.length
  }
  fragment.append(text.slice(at, to), to < text.length ? ' …' : '')
  return fragment
}

/** @param {import('./minisearch/index.js').SearchResult} result @param {number} place */
function option({id, terms}, place) {
  const entry = entries[id],
    matches = new Set(terms)
  const link = make(
    'a',
    {id: `search-found-${place}`, role: 'option', tabIndex: -1, href: address(entry)},
    make('span', {className: 'sort', textContent: KINDS[entry.kind]}),
    ' ',
    make('span', {className: 'name'}, marked(entry.title, matches)),
  )
  const within = entry.within ?? []
  if (within.length && !LISTED.has(entry.kind))
    link.append(' ', make('span', {className: 'where', textContent: within.join(' › ')}))
  if (entry.text) link.append(' ', make('span', {className: 'passage'}, marked(entry.text, matches, LENGTH)))
  return link
}

/** @param {number} place */
function choose(place) {
  const options = list.children
  options[active]?.setAttribute('aria-selected', 'false')
  active = options.length ? (place + options.length) % options.length : -1
  if (active < 0) return input.removeAttribute('aria-activedescendant')
  options[active].setAttribute('aria-selected', 'true')
  input.setAttribute('aria-activedescendant', options[active].id)
  options[active].scrollIntoView({block: 'nearest'})
}

// What has all words. First comes what has the query as its name in addresses, such as the claim A-04, or terms of one
// word that the query takes apart, as “layer norm” does with LayerNorm.
/** @param {NonNullable<typeof index>} loaded @param {string} query */
function withTerms(loaded, query) {
  const all = loaded.search(query),
    parts = words(query)
  if (parts.length < 2) return all
  const named = all.filter(({id}) => entries[id].anchor?.toLowerCase() === query.trim().toLowerCase())
  if (named.length) return [...named, ...all.filter(result => !named.includes(result))]
  const terms = loaded.search(parts.join(''), {fields: ['title'], prefix: false}).filter(({id}) => {
    const {kind, title} = entries[id]
    return kind === 'term' && words(title).length === 1
  })
  const first = new Set(terms.map(({id}) => id))
  return [...terms, ...all.filter(({id}) => !first.has(id))]
}

async function search() {
  const query = input.value
  try {
    await ready()
  } catch {
    statusLine.textContent = 'The index of this site cannot be read now. Is there a connection?'
    return
  }
  if (query !== input.value) return
  const loaded = /** @type {NonNullable<typeof index>} */ (index)
  const all = withTerms(loaded, query)
  const ids = new Set(all.map(result => result.id))
  const some = all.length < FEW ? loaded.search(query, {combineWith: 'OR'}).filter(result => !ids.has(result.id)) : []
  const results = [...all, ...some]
  list.replaceChildren(...results.slice(0, MOST).map(option))
  for (const item of list.children) item.setAttribute('aria-selected', 'false')
  list.hidden = !results.length
  list.scrollTop = 0
  input.ariaExpanded = String(Boolean(results.length))
  active = -1
  choose(0)
  const first = all.length > 1 ? `${all.length} places have` : `${all.length ? 'One' : 'No'} place has`
  const split = some.length && words(query).length > 1 ? `${first} all of these words. ` : ''
  const count =
    results.length > MOST
      ? `The best ${MOST} of ${results.length} places.`
      : `${results.length} ${results.length === 1 ? 'place' : 'places'}.`
  statusLine.textContent = !words(query).length ? '' : results.length ? split + count : 'Nothing has these words.'
}

// Results may not be there yet.
function openChosen() {
  searching.then(() => /** @type {HTMLElement | undefined} */ (list.children[active])?.click())
}

/** @param {string} [typed] what the reader has typed already @param {boolean} [entered] whether Enter followed it */
export function open(typed, entered) {
  if (dialog.open) return
  dialog.showModal()
  input.focus()
  input.select()
  if (typed) input.value = typed
  searching = search()
  if (entered) openChosen()
}

input.addEventListener('input', () => {
  searching = search()
})
input.addEventListener('keydown', event => {
  if (event.isComposing) return
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step && list.children.length) choose(active + step)
  else if (event.key === 'Enter') openChosen()
  else if (event.key === 'Escape')
    dialog.close() // otherwise the browser would empty the field first
  else return
  event.preventDefault()
})
list.addEventListener('click', event => {
  if (/** @type {Element} */ (event.target).closest('a') && !event.ctrlKey && !event.metaKey && !event.shiftKey)
    dialog.close()
})
list.addEventListener('pointerdown', event => event.preventDefault()) // the focus stays in the field
close.addEventListener('click', () => dialog.close())
// A selection of text that ends outside is no press there.
let outside = false
dialog.addEventListener('pointerdown', event => {
  outside = event.target === dialog
})
dialog.addEventListener('click', event => {
  if (outside && event.target === dialog) dialog.close()
})
slash.addEventListener('change', () => store.set('slash', slash.checked ? 'on' : 'off'))
ready().catch(() => {})
