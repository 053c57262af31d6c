// The state of every simulation of the page, in its URL: `?degradation.depth=56&v=2`.
export const VERSION = '2' // as in sims/contract/address.py
const BETWEEN = 350 // milliseconds between two writings: a browser refuses more than 100 in 30 seconds
let timer = null

// Version → id of a figure → what it began with then and does not now: a link of then leaves that unsaid.
const FORMER = {
  1: {
    degradation: {norm: 'batch', optimizer: 'momentum', learning_rate: '0.05'},
    last_op: {ending: 'relu'},
  },
}

// The version of the link that opened the page: the address is written anew before the last simulation has read it.
const arrived = new URLSearchParams(location.search).get('v') ?? ''

// The figures whose settings have been written anew: these are of the present version.
const renewed = new Set()

export function read(id, from = location) {
  const found = {}
  for (const [key, value] of new URLSearchParams(from.search))
    if (key.startsWith(id + '.')) found[key.slice(id.length + 1)] = value
  const unsaid = !renewed.has(id) && Object.keys(found).length ? FORMER[arrived]?.[id] : {}
  return {...unsaid, ...found}
}

// The version that belongs to what `read` found.
export function version(id) { return !renewed.has(id) && Object.keys(read(id)).length ? arrived : '' }

export function link(id, values) {
  const query = new URLSearchParams(Object.entries(values).map(([name, value]) => [`${id}.${name}`, value]))
  query.set('v', VERSION)
  return `?${query}#${id}`
}

export function url(id, changed) {
  const address = new URL(location)
  for (const key of [...address.searchParams.keys()])
    if (key.startsWith(id + '.')) address.searchParams.delete(key)
  for (const [name, value] of Object.entries(changed)) address.searchParams.set(`${id}.${name}`, value)
  address.searchParams.delete('v')
  if ([...address.searchParams.keys()].some(key => key.includes('.'))) address.searchParams.set('v', VERSION)
  return address
}

const pending = new Map()

// A training run tells its settings with every picture: were the clock set back each time, the address would stay that of the
// run before until the last picture, and a page that is loaded anew would go back to it.
export function write(id, changed) {
  pending.set(id, changed)
  timer ??= setTimeout(() => {
    timer = null
    for (const [each, values] of pending) {
      const address = url(each, values)
      if (address.href !== location.href) history.replaceState(null, '', address)
      renewed.add(each)
    }
    pending.clear()
  }, BETWEEN)
}
