// Runs before the first paint, so that no colors or positions change while the reader watches.
{
  const root = document.documentElement
  root.classList.add('js')
  try {
    for (const name of ['theme', 'level', 'slash']) {
      const value = localStorage.getItem(name)
      if (value) root.dataset[name] = value
    }
  } catch {
    // Without storage, the system's theme applies.
  }

  // Records clicks, changes and toggles until all listeners are in place (main.js); `heard` then replays each of them
  // once, and also the focus.
  /** @type {{target: HTMLElement, type: string}[]} */
  const early = []
  const alive = new AbortController()
  /** @param {Event} event */
  const keep = event => {
    const {type} = event
    const at = /** @type {HTMLElement} */ (event.target)
    const target = type === 'click' ? at.closest?.('button') : at
    if (!event.isTrusted || !target) return
    event.stopImmediatePropagation()
    if (!early.some(item => item.target === target && item.type === type)) early.push({target, type})
  }
  // The key of the search counts as a click on its button.
  const slash = (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {HTMLElement | null} */ (document.querySelector('[data-search]'))
    const at = /** @type {Element} */ (event.target)
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !target) return
    if (root.dataset.slash === 'off' || at.matches?.('input, textarea, select, [contenteditable]')) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!early.some(item => item.target === target)) early.push({target, type: 'click'})
  }
  addEventListener('keydown', slash, {capture: true, signal: alive.signal})
  for (const type of ['click', 'input', 'change', 'toggle'])
    addEventListener(type, keep, {capture: true, signal: alive.signal})
  window.heard = () => {
    alive.abort()
    for (const {target, type} of early)
      if (type === 'click') target.click()
      else target.dispatchEvent(new Event(type, {bubbles: type !== 'toggle'}))
    const {activeElement} = document
    if (activeElement === document.body) return
    for (const [type, bubbles] of /** @type {[string, boolean][]} */ ([
      ['focus', false],
      ['focusin', true],
    ]))
      activeElement?.dispatchEvent(new FocusEvent(type, {bubbles}))
  }
}
