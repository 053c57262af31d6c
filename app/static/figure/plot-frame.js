// Lets an answer be given in the figure that asks for it, as a curve, a number, an option or an order of rows. All but the
// order stay there.
// Python marks the plot (app/pictures/base/questions.py).
import {predictions} from '../exercises/predictions.js'

const SIZES = ['inner_width', 'inner_height', 'outer_width']

// → what ends it, before the figure is drawn anew
/** @param {import('./simulation.js').Simulation} simulation @returns {{remove(): void}[]} */
export function answerHere({figure, stage, kept}) {
  const section = predictions.get(figure.dataset.covered ?? '')?.section
  const answer = section?.board ?? section?.marker ?? section?.choice ?? section?.ranking
  const [marked] = kept.tagged(
    section?.board ? 'drawn' : section?.marker ? 'guessed' : section?.choice ? 'chosen' : 'ranked',
  )
  if (!answer?.host || !marked) return []
  const {model, tag} = marked
  const axis = tag.axis ?? 'x'
  const place = () => {
    const view = /** @type {BokehView | undefined} */ (Bokeh.index.find_one(model) ?? undefined)
    const box = view?.frame?.bbox
    if (!view || !box?.width) return
    const [outer, inner] = [stage.getBoundingClientRect(), view.el.getBoundingClientRect()]
    answer.place(stage, {
      left: inner.left - outer.left,
      top: inner.top - outer.top,
      width: inner.width,
      height: inner.height,
      inner: box,
      axis,
      name: model[axis === 'x' ? 'below' : 'left'][0].axis_label || model.title?.text,
      rows: rows(model, view.frame.y_scale),
      x: value => view.frame.x_scale.compute(value),
      y: value => view.frame.y_scale.compute(value),
      value: y => view.frame.y_scale.invert(y),
      across: x => view.frame.x_scale.invert(x),
      keep: points => keep(tag.drawn, points),
      mark: rows => mark(tag.guessed, rows),
      choose: box => choose(tag.chosen, view.frame, box),
    })
  }
  for (const name of SIZES) model.properties[name].change.connect(place)
  const observer = new ResizeObserver(() => requestAnimationFrame(place))
  observer.observe(stage)
  place()
  const remove = () => {
    observer.disconnect()
    for (const name of SIZES) model.properties[name].change.disconnect(place)
  }
  return [{remove}]
}

// Label → its height in pixels.
/** @param {BokehModel} model @param {{compute(value: number | string): number}} scale */
function rows({left: [axis], y_range: {factors}}, scale) {
  const labels = /** @type {Map<number, string>} */ (axis.major_label_overrides)
  const places = factors
    ? factors.map((/** @type {string} */ name) => /** @type {const} */ ([name, name]))
    : [...labels].map(([at, label]) => /** @type {const} */ ([Number(at), String(label)]))
  return new Map(
    places.map((/** @type {readonly [number | string, string]} */ [at, label]) => [
      label.replace('\n', ' '),
      scale.compute(at),
    ]),
  )
}

// The line of the reader's curve, with its name at its end.
/** @param {{line: BokehSource, name: BokehSource}} sources @param {{x: number, y: number}[]} points */
function keep({line, name}, points) {
  const last = points.slice(-1)
  fill(line, points)
  fill(
    name,
    last.map(point => ({...point, text: 'you'})),
  )
}

// Lines at the number that the reader has said and at the true one, with their words.
/** @param {{guess: BokehSource, truth: BokehSource}} sources @param {Record<'guess' | 'truth', Record<string, unknown>[]>} rows */
function mark({guess, truth}, rows) {
  fill(guess, rows.guess)
  fill(truth, rows.truth)
}

// The outline of the row that the reader has chosen, with a word on its lower edge.
/** @param {BokehSource} source @param {BokehView['frame']} frame @param {import('../exercises/drawing.js').Box} box */
function choose(source, {x_scale, y_scale}, {left, right, top, bottom}) {
  const across = (/** @type {number} */ x) => x_scale.invert(x)
  const ends = {left: across(left), right: across(right), top: y_scale.invert(top), bottom: y_scale.invert(bottom)}
  fill(source, [{...ends, x: across(left + 0.8 * (right - left)), text: 'you'}])
}

/** @param {BokehSource} source @param {Record<string, unknown>[]} rows */
function fill(source, rows) {
  const columns = source.columns().map(name => [name, rows.map(row => row[name])])
  source.setv({data: Object.fromEntries(columns)}, {sync: false})
}
