// A button that changes its label or is disabled is drawn anew by Bokeh, its label a moment later. A reader whose next key
// belongs to that button would press it nowhere.
/** @type {WeakMap<BokehModel, BokehView>} */
const keeping = new WeakMap()

// The `<button>` of a model, if the model is on the page.
/** @param {BokehModel} button */
export function element(button) {
  return Bokeh.index.find_one(button)?.button_el
}

/** @param {BokehModel} button */
export function isFocused(button) {
  return /** @type {ShadowRoot | undefined} */ (element(button)?.getRootNode())?.activeElement === element(button)
}

// Whether a reader holds a button down whose focus is kept, with a pointer or with the space bar.
/** @param {BokehModel} button */
export function isDown(button) {
  return Boolean(keeping.get(button)?.button_el?.matches(':active'))
}

// From now on, the button keeps the focus when it is drawn anew.
/** @param {BokehModel} button */
export function keepFocus(button) {
  // To find a view, Bokeh looks through all of them.
  if (keeping.get(button)?.el.isConnected) return
  const view = Bokeh.index.find_one(button)
  if (!view || keeping.get(button) === view) return
  keeping.set(button, view)
  const {rerender} = view
  view.rerender = () => {
    const focused = isFocused(button)
    rerender.call(view)
    if (focused) element(button)?.focus()
  }
}
