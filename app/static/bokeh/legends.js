// A legend that is wider than its figure stands in one column: in a narrow window, or in one that is zoomed far in.
/** @param {import('./kept.js').Kept} kept @param {HTMLElement} host */
export function narrow(kept, host) {
  /** @type {Map<BokehModel, {columns: number, right?: number}>} */
  const legends = new Map(
    kept.models.filter(model => model.type === 'Legend').map(model => [model, {columns: model.ncols}]),
  )
  const look = () => {
    for (const [model, drawn] of legends) {
      const element = Bokeh.index.find_one(model)?.el,
        figure = /** @type {HTMLElement} */ (/** @type {ShadowRoot} */ (element?.getRootNode())?.host)
      if (!element?.offsetWidth || !figure) continue
      if (model.ncols === drawn.columns)
        drawn.right = element.getBoundingClientRect().right - figure.getBoundingClientRect().left
      const columns = (drawn.right ?? 0) > figure.offsetWidth ? 1 : drawn.columns
      if (model.ncols !== columns) model.setv({ncols: columns}, {sync: false})
    }
  }
  new ResizeObserver(look).observe(host)
}
