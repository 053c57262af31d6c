// On a wide page the main picture of a figure is made taller, so that it is larger than the words around it.
import {mainPlots, resize, sizesOf} from './main-plots.js'

const WIDE = 760 // width in pixels from which on
const TALL = 400, // height in pixels of the whole picture
  MOST = 1.7 // largest factor for a single plot
const LEAST = 300 // width of a plot in pixels, as in app/live/layout.py

/** @param {import('../bokeh/kept.js').Kept} kept @param {number} width of the figure's stage */
export function tall(kept, width) {
  if (width < WIDE) return
  const plots = mainPlots(kept).filter(({height}) => height)
  const high = rows(plots, width).reduce((sum, row) => sum + Math.max(...row.map(({height}) => height)), 0)
  const factor = Math.min(MOST, TALL / high)
  if (!(factor > 1)) return
  for (const model of plots) resize(model, {...sizesOf(model), max_width: null}, factor)
}

// Plots side by side: as many as fit, unless one has a row for itself.
/** @param {BokehModel[]} plots @param {number} width */
function rows(plots, width) {
  const most = Math.max(1, Math.floor(width / LEAST))
  /** @type {BokehModel[][]} */
  const all = []
  const isWide = (/** @type {BokehModel} */ model) => 'grid-column' in (model.styles ?? {})
  for (const plot of plots) {
    const last = all[all.length - 1]
    if (last && last.length < most && !isWide(plot) && !isWide(last[0])) last.push(plot)
    else all.push([plot])
  }
  return all
}
