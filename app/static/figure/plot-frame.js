// Lets a predicted curve be drawn on the axes of the figure that answers it, and leaves it there as a line. Python marks
// the plot (app/pictures/base/questions.py).
import {predictions} from '../exercises/predictions.js'

/** @typedef {import('../exercises/drawing.js').Board} Board */

/** @param {import('./simulation.js').Simulation} simulation */
export function drawHere({figure, stage, kept}) {
  const board = /** @type {Board | undefined} */ (predictions.get(figure.dataset.covered ?? '')?.section.board)
  const [marked] = kept.tagged('drawn')
  if (!board || !marked) return
  const {model, tag} = marked
  const place = () => {
    const view = /** @type {BokehView | undefined} */ (Bokeh.index.find_one(model) ?? undefined)
    const box = view?.frame?.bbox
    if (!view || !box?.width) return
    const [outer, inner] = [stage.getBoundingClientRect(), view.el.getBoundingClientRect()]
    board.place(stage, {
      left: inner.left - outer.left,
      top: inner.top - outer.top,
      width: inner.width,
      height: inner.height,
      inner: box,
      x: value => view.frame.x_scale.compute(value),
      y: value => view.frame.y_scale.compute(value),
      value: y => view.frame.y_scale.invert(y),
      keep: points => keep(tag.drawn, points),
    })
  }
  for (const name of ['inner_width', 'inner_height', 'outer_width']) model.properties[name].change.connect(place)
  new ResizeObserver(() => requestAnimationFrame(place)).observe(stage)
  place()
}

// The line of the reader's curve, with its name at its end.
/** @param {{line: BokehSource, name: BokehSource}} sources @param {{x: number, y: number}[]} points */
function keep({line, name}, points) {
  const columns = (/** @type {{x: number, y: number}[]} */ rows) => ({x: rows.map(({x}) => x), y: rows.map(({y}) => y)})
  const last = points.slice(-1)
  line.setv({data: columns(points)}, {sync: false})
  name.setv({data: {...columns(last), text: last.map(() => 'you')}}, {sync: false})
}
