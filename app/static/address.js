// The state of every simulation of the page, in its URL: `?degradation.depth=56&v=1`.
const VERSION = '1'
const SETTLED = 250
let timer = null

export function read(id, from = location) {
  const found = {}
  for (const [key, value] of new URLSearchParams(from.search))
    if (key.startsWith(id + '.')) found[key.slice(id.length + 1)] = value
  return found
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

export function write(id, changed) {
  pending.set(id, changed)
  clearTimeout(timer)
  timer = setTimeout(() => {
    for (const [each, values] of pending) history.replaceState(null, '', url(each, values))
    pending.clear()
  }, SETTLED)
}
