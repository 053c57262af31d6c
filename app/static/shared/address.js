// The state of all simulations of the page, in its URL: `?degradation.depth=56&v=2`. A page that holds one figure alone
// omits the id, `?depth=56&v=2`, and the state refers to the page that the figure is from.
export const VERSION = '2' // as in sims/contract/address.py
const BETWEEN = 350 // milliseconds between two updates: a browser refuses more than 100 in 30 seconds
/** @type {ReturnType<typeof setTimeout> | null} */
let timer = null

// The page of the figure that this page holds alone.
/** @type {string | undefined} */
const from = document.querySelector('a[data-home]')?.href
/** @param {string} id */
const prefix = id => (from ? '' : `${id}.`)

// What old links mean for a figure: former names of its parameters, and defaults that links of each version relied on.
/** @type {(id: string) => FormerNames} */
const former = id => JSON.parse(document.getElementById(id)?.dataset.former ?? '{}')

// The version of the link that opened the page: the address is rewritten before the last simulation has read it.
const arrived = new URLSearchParams(location.search).get('v') ?? ''

// The figures whose settings have been rewritten: these have the present version.
const renewed = new Set()

// Former names used by the link that opened the page: id → former name → name.
/** @type {Map<string, Map<string, string>>} */
const used = new Map()

/** @param {string} id @param {string} search @returns {Values} */
function mine(id, search) {
  const start = prefix(id),
    names = from && document.getElementById(id).dataset.parameters.split(' ')
  const {renamed = {}} = former(id),
    current = /** @type {Values} */ ({}),
    old = /** @type {Values} */ ({})
  for (const [key, value] of new URLSearchParams(search)) {
    if (!key.startsWith(start)) continue
    const name = key.slice(start.length)
    if (Object.hasOwn(renamed, name)) {
      old[renamed[name]] = value
      used.set(id, new Map(used.get(id)).set(name, renamed[name]))
    } else if (!names || names.includes(name)) current[name] = value
  }
  return {...old, ...current}
}

/** @param {string} id @returns {Values} */
export function read(id) {
  const values = mine(id, location.search)
  const unsaid = !renewed.has(id) && Object.keys(values).length ? former(id).unsaid?.[arrived] : {}
  return {...unsaid, ...values}
}

// The version of the values that `read` returned.
/** @param {string} id */
export function version(id) {
  return !renewed.has(id) && Object.keys(read(id)).length ? arrived : ''
}

// Notes for the reader on the link that opened the page.
/** @param {string} id */
export function notes(id) {
  return [...(used.get(id) ?? [])].map(
    ([old, name]) => `This link calls “${old}” what is now called “${name}”; it is shown under its new name.`,
  )
}

// Parameters as a query: `start`, the figure's id with a dot or '', precedes every name.
/** @param {string} start @param {Values} values */
export function query(start, values) {
  const search = new URLSearchParams(Object.entries(values).map(([name, value]) => [start + name, value]))
  if (Object.keys(values).length) search.set('v', VERSION)
  return search
}

/** @param {string} id @param {Values} values */
export function link(id, values) {
  return `?${query(`${id}.`, values)}#${id}`
}

/** @param {string} id @param {Values} changed */
function own(id, changed) {
  const address = new URL(location.href),
    start = prefix(id)
  const names = from
    ? [...Object.keys(former(id).renamed ?? {}), ...document.getElementById(id).dataset.parameters.split(' ')]
    : null
  for (const key of [...address.searchParams.keys()])
    if (names ? names.includes(key) : key.startsWith(start)) address.searchParams.delete(key)
  for (const [name, value] of Object.entries(changed)) address.searchParams.set(start + name, value)
  address.searchParams.delete('v')
  const states = names ? Object.keys(changed).length : [...address.searchParams.keys()].some(key => key.includes('.'))
  if (states) address.searchParams.set('v', VERSION)
  return address
}

// The address that shows this state, on this page or on the one that the figure is from.
/** @param {string} id @param {Values} changed */
export function url(id, changed) {
  if (!from) return own(id, changed)
  const address = new URL(from)
  address.search = String(query(`${id}.`, changed))
  return address
}

/** @param {URL} address */
function replace(address) {
  try {
    history.replaceState(null, '', address)
  } catch (error) {
    // A sandboxed frame may not be allowed to change its address; its figure works without.
    if (!from || !(error instanceof DOMException) || error.name !== 'SecurityError') throw error
  }
}

/** @type {Map<string, Values>} */
const pending = new Map()

// A training run reports its settings with every picture. If each report restarted the timer, the address would be that
// of the run before until the last picture, and reloading the page would return to it.
/** @param {string} id @param {Values} changed */
export function write(id, changed) {
  pending.set(id, changed)
  if (timer) return
  timer = setTimeout(() => {
    timer = null
    for (const [key, values] of pending) {
      const address = own(key, values)
      if (address.href !== location.href) replace(address)
      renewed.add(key)
    }
    pending.clear()
  }, BETWEEN)
}
