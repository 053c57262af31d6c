// Puts a legend that is wider than its figure into one column, for narrow windows and large zoom factors.
/** @param {import('./kept.js').Kept} picture @param {HTMLElement} host */
export function narrow(picture, host) {
  /** @type {Map<BokehModel, {columns: number, right?: number}>} */
  const legends = new Map(
    picture.models.filter(model => model.type === 'Legend').map(model => [model, {columns: model.ncols}]),
  )
  const look = () => {
    for (const [model, initial] of legends) {
      const element = Bokeh.index.find_one(model)?.el,
        figure = /** @type {HTMLElement} */ (/** @type {ShadowRoot} */ (element?.getRootNode())?.host)
      if (!element?.offsetWidth || !figure) continue
      if (model.ncols === initial.columns)
        initial.right = element.getBoundingClientRect().right - figure.getBoundingClientRect().left
      const columns = (initial.right ?? 0) > figure.offsetWidth ? 1 : initial.columns
      if (model.ncols !== columns) model.setv({ncols: columns}, {sync: false})
    }
  }
  new ResizeObserver(look).observe(host)
}
