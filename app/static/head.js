// Runs before the first paint, so that nothing changes color or place under the reader's eyes.
{
  const root = document.documentElement
  root.classList.add('js')
  try {
    for (const name of ['theme', 'level']) {
      const value = localStorage.getItem(name)
      if (value) root.dataset[name] = value
    }
  } catch {
    // A browser that remembers nothing shows what the system asks for.
  }

  // What a reader presses, sets or opens before everything that hears it is there (main.js) is heard by nobody until then,
  // and once; and so is where the keyboard is.
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
