// A page for scripts that look at theirs while they are loaded: as little of a browser as they need.

/** Something that keeps texts by name, as `localStorage` does, or refuses to, as in a frame without permission. */
export class FakeStorage {
  constructor(refuses = false) {
    this.refuses = refuses
    this.items = new Map()
  }

  getItem(name) {
    if (this.refuses) throw new Error('SecurityError')
    return this.items.get(name) ?? null
  }

  setItem(name, value) {
    if (this.refuses) throw new Error('SecurityError')
    this.items.set(name, String(value))
  }

  removeItem(name) {
    if (this.refuses) throw new Error('SecurityError')
    this.items.delete(name)
  }
}

/** Locks as all tabs of a browser share them: one page has a lock at a time, and others wait until they give up. */
export class FakeLocks {
  constructor() {
    this.held = new Map()
  }

  async request(name, {signal}, hold) {
    const before = this.held.get(name)
    const refused = new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    if (before) await Promise.race([before, refused])
    this.held.set(name, hold())
    await this.held.get(name)
    this.held.delete(name)
  }
}

/**
 * Put a page in place and load a script of app/static anew in it.
 *
 * `search` is the query of its address, `elements` are found by their ids, `from` is what `a[data-home]` finds,
 * `attributes` are those of the root element, `tab` is what the tab keeps, and `locks` are those of all tabs.
 */
export async function load(
  script,
  {search = '', elements = {}, from = null, attributes = [], storage, tab, locks, top = globalThis, slug = 'toy'} = {},
) {
  const heard = []
  const root = {dataset: {}, hasAttribute: name => attributes.includes(name)}
  const location = new URL(`https://example.org/${slug}${search}`)
  Object.assign(globalThis, {
    location,
    history: {
      replaceState: (_state, _title, address) => {
        location.href = String(address)
      },
    },
    localStorage: storage ?? new FakeStorage(),
    sessionStorage: tab ?? new FakeStorage(),
    window: {self: globalThis, top},
    addEventListener: (type, listener) => heard.push({type, listener}),
    document: {
      body: {dataset: {page: slug}},
      documentElement: root,
      querySelector: selector => (selector === 'a[data-home]' ? from : null),
      querySelectorAll: () => [],
      getElementById: id => elements[id] ?? null,
      addEventListener: () => {},
      dispatchEvent: event => heard.push(event),
    },
  })
  // Newer versions of Node have one that cannot be assigned to.
  Object.defineProperty(globalThis, 'navigator', {value: {locks}, configurable: true})
  loaded += 1
  const module = await import(`../../app/static/${script}?${loaded}`)
  const press = type => {
    for (const entry of heard) if (entry.type === type) entry.listener?.({type})
  }
  return {module, location, heard, press, root}
}

let loaded = 0
