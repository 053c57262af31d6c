// On a wide page the main picture of a figure is made taller, so that it is larger than the words around it. That of the
// figure that carries the page is the tallest.
import {mainPlots, resize, sizesOf} from './main-plots.js'

const WIDE = 760 // width in pixels from which on
// height: of the whole picture in pixels; most: largest factor for a single plot
const TALL = {height: 480, most: 1.9},
  TALLEST = {height: 520, most: 2.2}
const LEAST = 360 // width of a plot in pixels, as in app/live/layout.py

/** @param {import('../../bokeh/kept.js').Kept} kept @param {number} width of the figure's stage @param {boolean} [carries] whether it carries its page */
export function tall(kept, width, carries = false) {
  if (width < WIDE) return
  const plots = mainPlots(kept).filter(model => model.height && !isHidden(model))
  const high = rows(plots, width).reduce((sum, row) => sum + Math.max(...row.map(({height}) => height)), 0)
  const {height, most} = carries ? TALLEST : TALL
  const factor = Math.min(most, height / high)
  if (!(factor > 1)) return
  for (const model of plots) resize(model, {...sizesOf(model), max_width: null}, factor)
}

// Whether a plot is for another kind of screen (app/pictures/base/screens.py).
/** @param {BokehModel} model */
const isHidden = ({tags}) => tags?.some((/** @type {any} */ tag) => tag?.hidden && matchMedia(tag.hidden).matches)

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
