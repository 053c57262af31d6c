// A filter over the parts of a page: words and choices, which are in the address so that they can be shared.

const fold = (/** @type {string} */ text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * @param {object} options
 * @param {HTMLElement[]} options.items what is shown or hidden
 * @param {string} options.noun what they are called
 * @param {(item: HTMLElement) => string} options.text what words are looked for in
 * @param {Record<string, (item: HTMLElement, value: string) => boolean>} options.fits name of a field → whether an item is
 *   shown; a field without an entry, such as the order, hides nothing
 * @param {(field: {name: string}, value: string) => string} [options.renewed] today's value for one of a former address
 * @param {(values: Record<string, string>) => void} [options.shown] called whenever something has changed
 */
export function filtering({items, noun, text, fits, renewed = (_field, value) => value, shown = () => {}}) {
  const filter = document.querySelector('.filter')
  const fields = /** @type {(HTMLInputElement & HTMLSelectElement)[]} */ ([...filter.querySelectorAll('[name]')])
  const statusLine = filter.querySelector('.shown')
  const texts = new Map(items.map(item => [item, fold(text(item))]))
  /** @type {Record<string, (item: HTMLElement, value: string) => boolean>} */
  const tests = {
    words: (item, value) =>
      fold(value)
        .split(/\s+/)
        .every(word => texts.get(item)?.includes(word)),
    ...fits,
  }

  function show() {
    const active = fields.filter(field => field.value && tests[field.name])
    for (const item of items) item.hidden = !active.every(field => tests[field.name](item, field.value))
    const count = items.filter(item => !item.hidden).length
    statusLine.textContent = active.length ? `${count} of ${items.length} ${noun}` : ''
    shown(Object.fromEntries(fields.map(field => [field.name, field.value])))
  }

  function changed() {
    const address = new URL(location.href)
    for (const {name, value} of fields)
      if (value) address.searchParams.set(name, value)
      else address.searchParams.delete(name)
    history.replaceState(null, '', address)
    show()
  }

  function all() {
    for (const field of fields) field.value = ''
    changed()
  }

  // What a link leads to is shown, whatever the filter was.
  function arrive() {
    const item = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (!item?.hidden) return
    all()
    item.scrollIntoView()
  }

  const query = new URLSearchParams(location.search)
  for (const field of fields) {
    const value = query.get(field.name)
    if (value !== null) field.value = renewed(field, value)
    if (field.selectedIndex === -1) field.value = '' // an option that does not exist
  }
  filter.addEventListener('input', changed)
  filter.querySelector('button').addEventListener('click', all)
  addEventListener('hashchange', arrive)
  show()
  arrive()
}
