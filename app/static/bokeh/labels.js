// Adds names and states for assistive technology that Bokeh's widgets lack.
/** @param {ParentNode} root @returns {Generator<HTMLElement>} */
function* deep(root) {
  for (const element of root.querySelectorAll('*')) {
    yield element
    if (element.shadowRoot) yield* deep(element.shadowRoot)
  }
}

/** @param {HTMLElement} element */
function name(element) {
  const scope = /** @type {ShadowRoot} */ (element.getRootNode())
  return scope.querySelector?.('.bk-slider-title, .bk-input-group > label, label')?.textContent.split(':')[0].trim()
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
    if (element.matches('.noUi-handle') && !element.ariaLabel) element.ariaLabel = name(element) || 'value'
    if (element.matches('input[type=checkbox]') && !element.ariaLabel)
      element.ariaLabel = element.nextElementSibling?.textContent.trim() || 'on or off'
    // Nothing in a plot handles keys: whatever can be dragged or pressed in it also has a control.
    if (element.matches('.bk-events')) element.tabIndex = -1
    if (element.matches('.bk-btn-group')) element.role = 'group'
    if (element.matches('.bk-btn-group > .bk-btn')) state(element, element.classList.contains('bk-active'))
    if (element.matches('select.bk-input') && !element.ariaLabel) element.ariaLabel = name(element) || 'Speed'
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
        attributeFilter: ['class'],
      })
}
