// On a phone, the border right of a plot is as wide as the labels at the ends of its lines, which are not there before a
// prediction is answered (app/pictures/base/end_labels.py). A border never shrinks under labels that change.
const END = 'end'
const PHONE = matchMedia('(max-width: 40em)')
const AROUND = 12 // pixels beside a label
const SIZE = 13

/** @param {string} text @param {CanvasRenderingContext2D} pen */
const width = (text, pen) => Math.max(...text.split('\n').map(line => pen.measureText(line).width))

/** @param {import('./kept.js').Kept} picture @param {HTMLElement} host */
export function gutters(picture, host) {
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d')),
    look = getComputedStyle(host)
  for (const chart of picture.models.filter(model => model.type === 'Figure')) {
    /** @type {BokehModel[]} */
    const labels = chart.renderers.filter((/** @type {BokehModel} */ mark) => mark.tags.includes(END))
    if (!labels.length) continue
    const usual = chart.min_border_right
    let room = 0
    let narrow = false
    const fit = () => {
      pen.font = `${SIZE * (Number(look.getPropertyValue('--text')) || 1)}px ${look.getPropertyValue('--sans')}`
      const texts = labels.filter(mark => mark.visible).flatMap(mark => [...mark.data_source.get_column('text')])
      room = texts.length ? Math.max(room, ...texts.map(text => Math.ceil(width(text, pen)))) : 0
      if (!narrow && !PHONE.matches) return // what a projector has enlarged stays
      narrow = PHONE.matches
      const now = narrow ? Math.min(room + AROUND, usual) : usual
      if (chart.min_border_right !== now) chart.setv({min_border_right: now}, {sync: false})
    }
    for (const {properties, data_source: source} of labels) {
      properties.visible.change.connect(fit)
      source.properties.data.change.connect(fit)
    }
    new ResizeObserver(fit).observe(host)
    fit()
  }
}
