// Adds names and states for assistive technology that Bokeh's widgets lack.
/** @param {ParentNode} root @returns {Generator<HTMLElement>} */
function* deep(root) {
  for (const element of root.querySelectorAll('*')) {
    yield element
    if (element.shadowRoot) yield* deep(element.shadowRoot)
  }
}

// The name of a widget, and the value that a slider shows after it.
/** @param {HTMLElement} element */
function titleOf(element) {
  const scope = /** @type {ShadowRoot} */ (element.getRootNode())
  const title = scope.querySelector?.('.bk-slider-title, .bk-input-group > label, label')
  const value = title?.querySelector('.bk-slider-value')?.textContent ?? ''
  const words = title?.textContent ?? ''
  return {
    name: words
      .slice(0, words.length - value.length)
      .trim()
      .replace(/:$/, ''),
    value,
  }
}

// A button that shows and hides something says whether it is open, any other whether it is pressed.
/** @param {HTMLElement} button @param {boolean} active */
function state(button, active) {
  const {host} = /** @type {ShadowRoot} */ (button.getRootNode())
  button[host.classList.contains('opener') ? 'ariaExpanded' : 'ariaPressed'] = String(active)
}

/** @param {HTMLElement} host */
function improve(host) {
  for (const element of deep(host)) {
    if (element.matches('.noUi-handle')) {
      const {name, value} = titleOf(element)
      element.ariaLabel ||= name || 'value'
      // noUiSlider writes its own number with two decimals, which for a slider through stops is that of the stop.
      if (value && element.ariaValueText !== value) element.ariaValueText = value
    }
    if (element.matches('input[type=checkbox]') && !element.ariaLabel)
      element.ariaLabel = element.nextElementSibling?.textContent.trim() || 'on or off'
    // Nothing in a plot handles keys: whatever can be dragged or pressed in it also has a control.
    if (element.matches('.bk-events')) element.tabIndex = -1
    if (element.matches('.bk-btn-group')) element.role = 'group'
    if (element.matches('.bk-btn-group > .bk-btn')) state(element, element.classList.contains('bk-active'))
    if (element.matches('select.bk-input') && !element.ariaLabel) element.ariaLabel = titleOf(element).name || 'Speed'
  }
}

/** @param {HTMLElement} host */
export function label(host) {
  improve(host)
  let planned = false
  /** @param {MutationRecord[] | Event} changes */
  const later = changes => {
    // Ignore the style sheets of a picture's figures, which change whenever something is drawn.
    if (
      planned ||
      (Array.isArray(changes) && changes.every(({target}) => /** @type {Element} */ (target).localName === 'style'))
    )
      return
    planned = true
    requestAnimationFrame(() => {
      planned = false
      improve(host)
    })
  }
  host.addEventListener('click', later)
  host.addEventListener('keyup', later)
  for (const element of deep(host))
    if (element.shadowRoot)
      new MutationObserver(later).observe(element.shadowRoot, {
        childList: true,
        subtree: true,
        attributeFilter: ['class', 'aria-valuetext'],
      })
}
