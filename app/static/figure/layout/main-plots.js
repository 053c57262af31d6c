// The plots of a figure's main picture, and the one way in which they are made larger than they were drawn: on a wide
// page (tall.js) and where the figure fills the window (present.js).

/** @typedef {{height: number | null, styles: any, max_width: number | null}} Sizes */

/** @param {Pick<import('../../bokeh/kept.js').Kept, 'models'>} kept @returns {BokehModel[]} in order */
export function mainPlots(kept) {
  const column = kept.models.find(model => model.css_classes?.includes('stage-figures'))
  return column ? within(column).filter(model => model.type === 'Figure') : []
}

/** @param {BokehModel} model @returns {BokehModel[]} the models that it lays out, in order */
const within = model => [model, ...(model.children ?? []).flatMap(within)]

/** @param {BokehModel} model @returns {Sizes} */
export const sizesOf = ({height, styles, max_width}) => ({height, styles, max_width})

// Gives a plot a share of its own sizes; null gives it these back. A height among the styles overrides the plot's, so it
// follows, and it is set first: only a new height makes Bokeh lay the plot out again.
/** @param {BokehModel} model @param {Sizes} own @param {number | null} share */
export function resize(model, {height, styles, max_width}, share) {
  const now = height && Math.round(height * (share ?? 1))
  if (max_width) model.setv({max_width: Math.round(max_width * (share ?? 1))}, {sync: false})
  if (styles?.height) model.setv({styles: share === null ? styles : {...styles, height: `${now}px`}}, {sync: false})
  model.setv({height: now}, {sync: false})
}
