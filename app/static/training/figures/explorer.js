// The figure `explorer` without a server: what sims/simulations/design_choices/explorer.py and
// app/views/design_choices/explorer.py do. Python stays the source: tests/twins compares everything that both give.
import {number, percent} from '../../shared/numbers.js'
import {ownPoints} from '../datasets.js'
import {divergences} from '../divergence.js'
import {layersPerBlock} from '../engine/perceptrons/layout.js'
import {LABELS, pressedFeature, showFeatures} from '../explorer/feature-tiles.js'
import {KINDS, health, kindsOf} from '../explorer/gradient-health.js'
import {FEATURE_SIDE, SIDE, featureMaps, nearest, shareOfCommonest} from '../explorer/maps.js'
import {judged} from '../explorer/missions.js'
import {showDiagram} from '../explorer/network-diagram.js'
import {pressed, showMaps} from '../explorer/network-maps.js'
import {described, difference, feeds, networks, reachOf, refusal, same} from '../explorer/networks.js'
import {band, last, median, medians, momentsOf, quantity, recordBands, spread} from '../frame.js'
import {Picture} from '../pictures/picture.js'

export const NAME = 'explorer'
export const TITLE = 'The residual network explorer'
export {networks}

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  task: 'text',
  depth: 'int',
  skip: 'text',
  norm: 'text',
  initialization: 'text',
  optimizer: 'text',
  learning_rate: 'float',
  compare: 'text',
  pen: 'text',
  moment: 'int',
  layer: 'int',
  noise: 'text',
  feed_x1: 'bool',
  feed_x2: 'bool',
  feed_x1_squared: 'bool',
  feed_x2_squared: 'bool',
  feed_product: 'bool',
  feed_sine_x1: 'bool',
  feed_sine_x2: 'bool',
  width: 'int',
  unit: 'text',
  branch_factor: 'text',
  activation: 'text',
  final_norm: 'bool',
  warmup: 'int',
  clip: 'int', // or not, which is written alike
  batch: 'int',
  training_steps: 'int',
  seeds: 'int',
  seed: 'int',
  points: 'text',
}

const SHOWN = ['first', 'second']
const SHOWN_COUNTS = ['layers_per_block', 'fits', 'lost']
/** Results that are whole numbers. */
export const COUNTS = ['seeds', 'second_same', ...SHOWN.flatMap(name => SHOWN_COUNTS.map(count => `${name}_${count}`))]

const FITS = 0.05 // a training error of at most this share counts as a fit
const SHOWN_POINTS = 300 // the most training points that are drawn
const OWN_REACH = 2

/** @typedef {import('../observers/explorer.js').Observed} Observed */

// -- the frame -----------------------------------------------------------------------------------------------------

/** @param {Record<string, TrainingRun>} runs @param {Values} settings @returns {TrainingFrame} */
export function frame(runs, settings) {
  const entries = Object.entries(runs)
  if (!entries.length) return refused(settings)
  const [[, {records, now, step, seeds, observed}]] = entries
  const moments = momentsOf(records, now)
  const reach = reachOf(settings)
  const {points, classes} = /** @type {Observed} */ (observed)
  const quantities = {
    ...drawn(points, classes, reach),
    steps: quantity(
      Int32Array.from(moments, moment => moment.step),
      'training step',
      'steps',
      ['record'],
    ),
  }
  /** @type {Record<string, number | string>} */
  const results = {
    reach,
    seeds,
    second_differs: difference(settings),
    second_same: Number(same(runs)),
  }
  for (const [name, run] of entries) {
    Object.assign(quantities, measured(name, run))
    Object.assign(results, answers(name, run))
  }
  return reread(
    {
      quantities,
      results,
      counts: COUNTS.filter(name => name in results),
      step,
      steps: Number(settings.training_steps),
      diverged: entries.flatMap(([name, run]) => divergences(run, name)),
    },
    settings,
  )
}

/** The same frame after a change of what is shown: some missions ask for that. @param {TrainingFrame} frame @param {Values} settings */
export const reread = (frame, settings) => judged(settings, Object.keys(PARAMETERS), frame)

/** @param {Values} settings @returns {TrainingFrame} */
function refused(settings) {
  const {points, labels} = ownPoints(settings.task === 'own' ? settings.points : '')
  const quantities = drawn(points, labels, OWN_REACH)
  return {
    ...{quantities, results: {refused: refusal(settings), reach: OWN_REACH}, counts: []},
    ...{step: 0, steps: 0, diverged: []},
  }
}

/**
 * The quantities for drawing a task.
 * @param {Float32Array | Float64Array} points x, y, x, y, … @param {number[]} classes @param {number} reach
 * @returns {Record<string, Quantity>}
 */
function drawn(points, classes, reach) {
  const stride = Math.max(1, Math.ceil(classes.length / SHOWN_POINTS))
  const chosen = [...classes.keys()].filter(at => at % stride === 0)
  return {
    points: quantity(
      /** @type {Float32Array} */ (points).filter((_, at) => (at >> 1) % stride === 0),
      'points that are learned, as drawn',
      'relative',
      ['point', 'direction'],
      [chosen.length, 2],
    ),
    classes: quantity(
      Int32Array.from(chosen, at => classes[at]),
      'their classes',
      'class',
      ['point'],
    ),
    features: quantity(
      featureMaps(reach),
      'what can be fed to a network, over the plane',
      '128 + 127 parts of its largest size',
      ['function', 'row of a function', 'column of a function'],
      [Object.keys(LABELS).length, FEATURE_SIDE, FEATURE_SIDE],
    ),
  }
}

const MEASURES = /** @type {const} */ ([
  ['weight_gradients', 'gradient of the weights', 'layer'],
  ['stream_gradients', 'gradient of the stream', 'place'],
  ['activations', 'root mean square of the stream', 'place'],
])

/** Curves, gradients and maps for every moment. @param {string} name @param {TrainingRun} run */
function measured(name, {records, now, seeds, observed}) {
  const moments = momentsOf(records, now)
  const quantities = recordBands(moments, `${name}_`, `${name} network: `)
  for (const [measure, words, axis] of MEASURES) {
    const columns = now[measure].length / seeds,
      shape = [moments.length, columns]
    const values = new Float64Array(moments.length * columns)
    for (const [at, moment] of moments.entries()) values.set(medians(moment[measure], seeds), at * columns)
    const label = `${name} network: ${words}, median of the seeds`
    quantities[`${name}_${measure}`] = quantity(values, label, 'relative', ['record', axis], shape)
    if (measure === 'activations') continue
    const against = `${name} network: ${words} against the median along the network`
    const kinds = quantity(health(values, columns), against, 'kind', ['record', axis], shape)
    quantities[`${name}_${measure}_health`] = {...kinds, texts: KINDS}
  }
  const {maps, units} = /** @type {Observed} */ (observed)
  quantities[`${name}_maps`] = quantity(
    maps,
    `${name} network: answers over the plane`,
    '16 class + confidence',
    ['record', 'row', 'column'],
    [moments.length, SIDE, SIDE],
  )
  quantities[`${name}_units`] = quantity(
    units.bytes,
    `${name} network: units of each layer over the plane, now`,
    "128 + 127 parts of the unit's largest size",
    ["unit's layer", 'unit', 'row of a unit', 'column of a unit'],
    units.shape,
  )
  return quantities
}

/** The parts of a network, and the state of its run. @param {string} name @param {TrainingRun} run */
function answers(name, {architecture: network, now, overflows, observed}) {
  const architecture = /** @type {NetworkArchitecture} */ (network)
  const {maps} = /** @type {Observed} */ (observed)
  return {
    [`${name}_skip`]: architecture.skip,
    [`${name}_norm`]: architecture.norm,
    [`${name}_layers_per_block`]: layersPerBlock(architecture),
    [`${name}_loss`]: median(now.train_loss),
    [`${name}_training_error`]: median(now.train_error),
    [`${name}_fits`]: now.train_error.filter(error => error <= FITS).length,
    [`${name}_lost`]: overflows.filter(overflow => overflow !== null).length,
    [`${name}_one_answer`]: shareOfCommonest(maps.subarray(-SIDE * SIDE)),
  }
}

// -- in words ------------------------------------------------------------------------------------------------------

/** The sentence that says what a frame shows. @param {TrainingFrame} frame */
export function describe(frame) {
  const {results, quantities, step, steps} = frame
  if ('refused' in results) return String(results.refused)
  const when = step ? `After ${step} of ${steps} steps` : 'Before the first step'
  const [, depth] = quantities.first_weight_gradients.shape
  const text = `${when}, the network of depth ${depth} ${outcome(frame, 'first')}.`
  if (!('second_maps' in quantities)) return text
  if (results.second_same) return `${text} It is already ${results.second_differs}: the other one is the same network.`
  return `${text} The same network ${results.second_differs} ${outcome(frame, 'second')}.`
}

/** The rest of a sentence about a network, as in sims/comparisons/outcomes.py. @param {TrainingFrame} frame @param {string} name */
function outcome(frame, name) {
  const [lost, seeds, fit] = [`${name}_lost`, 'seeds', `${name}_fits`].map(result => Number(frame.results[result]))
  const runaway = `has overflowed${seeds > 1 ? ` with ${lost} of ${seeds} seeds` : ''}`
  if (lost === seeds) return runaway
  if (lost) return `${runaway}, and ${fit} fit`
  const loss = last(/** @type {Float64Array} */ (frame.quantities[`${name}_train_loss`].values))
  const words = Number.isFinite(loss) ? `loss ${number(loss)}` : 'its loss has overflowed'
  return [
    `gets ${spread(frame, `${name}_train_error`, seeds)} of its training points wrong (${words})`,
    seeds > 1 ? `, and ${fit} of ${seeds} seeds fit` : '',
    frame.results[`${name}_one_answer`] === 1 ? '; its map has one color only' : '',
  ].join('')
}

const BATCH_STATISTICS =
  ' BatchNorm takes the mean and spread of the points it is given: of the test set itself for the test error, of the ' +
  'training points for the map.'

/** What was computed, and what it cannot show. @param {Values} settings @returns {Disclosure} */
export function disclosure(settings) {
  const {depth, width, norm, compare, warmup, clip, seeds, seed, batch, learning_rate} = settings
  const data = described(settings)
  const fed = feeds(settings)
    .map(name => LABELS[name])
    .join(', ')
  const clipped = Number(clip) ? `, gradients clipped at ${number(Number(clip), 6)}` : ''
  const warm = Number(warmup) ? `, the rate rising over the first ${warmup} steps` : ''
  const pair = compare === 'none' ? '' : '; the second network differs only in your choice under Compare with'
  return {
    network:
      `A multilayer perceptron of ${depth} linear layers of width ${width}, fed ${fed || 'nothing'}${pair}.` +
      `${norm === 'batch' ? BATCH_STATISTICS : ''}`,
    data: 'refused' in data ? `None yet: ${data.refused}.` : `${data.sentence}.`,
    seeds:
      `${seeds} (from ${seed}); a line is their median, a band their whole range; the map shows ` +
      `the first. Batches of ${batch}, rate ${number(Number(learning_rate))}${warm}${clipped}. A run fits ` +
      `if at most ${percent(FITS)} of the training points are misclassified at its end.`,
    cannot_show:
      'What would happen with many inputs, with convolutions, or in a longer run. Rankings may ' +
      'carry over to larger networks; the depth or the rate at which something breaks does not.',
  }
}

// -- the picture ---------------------------------------------------------------------------------------------------

const LOSSES = ['plain_train', 'residual_train', 'idle_train', 'plain_test', 'residual_test', 'idle_test']
const FEW = 3 // labels of the axis of the loss

/** @param {TrainingFrame} frame */
const trainedOf = ({quantities}) => SHOWN.filter(name => `${name}_maps` in quantities)

/** The index of the record that the reader has gone back to. @param {TrainingFrame} frame @param {Values} settings */
const momentOf = ({quantities}, {moment}) => nearest((Number(moment) / 100) * (quantities.steps.values.length - 1))

/** A row of a quantity. @template {Float64Array | Int32Array | Uint8Array} Numbers @param {TrainingFrame} frame @param {string} name @param {number} at @returns {Numbers} */
function row({quantities}, name, at) {
  const {values, shape} = quantities[name]
  const length = values.length / shape[0]
  return /** @type {Numbers} */ (values.subarray(at * length, (at + 1) * length))
}

/** Orange without a skip and blue with one; a second network of the same kind is gray. @param {TrainingFrame} frame @param {string[]} trained */
function colorsOf({results}, trained) {
  const colors = trained.map(name => (results[`${name}_skip`] === 'none' ? 'plain' : 'residual'))
  return colors[0] === colors[1] ? [colors[0], 'idle'] : colors
}

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function update(names, frame, settings) {
  const picture = new Picture(names)
  const trained = trainedOf(frame)
  for (const name of SHOWN) picture.set(`_diagrams.${name}.figure`, {visible: trained.includes(name)})
  picture.set('_bars', {visible: trained.length > 0})
  picture.set('_bars.legend.0', {visible: trained.length > 1})
  const moment = trained.length ? momentOf(frame, settings) : 0
  const colors = colorsOf(frame, trained)
  showNetworks(picture, frame, settings, trained, colors, moment)
  const features = /** @type {Uint8Array} */ (Uint8Array.from(frame.quantities.features.values))
  showFeatures(picture, '_features', features, feeds(settings))
  const steps = trained.length ? frame.quantities.steps.values : [0]
  const bands = Object.fromEntries(
    trained.flatMap((name, at) =>
      ['train', 'test'].map(part => [`${colors[at]}_${part}`, band(frame, `${name}_${part}_loss`)]),
    ),
  )
  picture.curves('_loss', LOSSES, steps, Math.max(frame.steps, 1), bands, true, FEW)
  picture.set('_moment', {location: steps[moment], visible: trained.length > 0})
  for (const name of trained) {
    const [weights, stream, sizes] = MEASURES.map(
      ([measure]) => /** @type {Float64Array} */ (row(frame, `${name}_${measure}`, moment)),
    )
    const kinds = ['weight', 'stream'].flatMap(part => kindsOf(frame, `${name}_${part}_gradients`, moment))
    const [skip, norm, perBlock] = ['skip', 'norm', 'layers_per_block'].map(part => frame.results[`${name}_${part}`])
    const network = {skip: String(skip), norm: String(norm), perBlock: Number(perBlock)}
    showDiagram(picture, `_diagrams.${name}`, network, {weights, stream, kinds, sizes: Array.from(sizes)})
  }
  const bars = Object.fromEntries(trained.map(name => [name, row(frame, `${name}_weight_gradients`, moment)]))
  picture.logBars('_gradients', SHOWN, bars)
  return picture.changes
}

/** @param {Picture} picture @param {TrainingFrame} frame @param {Values} settings @param {string[]} trained @param {string[]} colors @param {number} moment */
function showNetworks(picture, frame, settings, trained, colors, moment) {
  const {quantities, results} = frame
  const differs = String(results.second_differs ?? '')
  const other = results.second_same ? 'The very same' : differs.charAt(0).toUpperCase() + differs.slice(1)
  const networks = trained.map((name, at) => ({
    name: at ? other : 'This network',
    color: colors[at],
    kinds: kindsOf(frame, `${name}_weight_gradients`, moment),
    gradients: Array.from(row(frame, `${name}_weight_gradients`, moment)),
    answers: Uint8Array.from(row(frame, `${name}_maps`, moment)),
    units: {values: Uint8Array.from(quantities[`${name}_units`].values), shape: quantities[`${name}_units`].shape},
  }))
  const places = quantities.points.values
  const points = {
    x: Array.from(places.filter((_, at) => at % 2 === 0)),
    y: Array.from(places.filter((_, at) => at % 2 === 1)),
    classes: Array.from(quantities.classes.values),
    single: trained.length > 0,
  }
  const back = trained.length > 0 && moment + 1 < quantities.steps.values.length
  showMaps(picture, '_maps', networks, points, Number(results.reach), Number(settings.layer), back)
}

// -- gestures in the picture ---------------------------------------------------------------------------------------

const NEAR = 0.15 // within which a click erases a point, in units of the plane
const CELLS = 100 // along each side of the square of the reader's own points
const LONGEST = 1000 // letters of all points

/**
 * What a gesture sets: a moment, a layer, a feature, or the reader's own points.
 * @param {Record<string, string>} names @param {{event_name?: string, origin?: {id: string}, x?: number, y?: number}} gesture
 * @param {Values} settings @param {TrainingFrame | null} frame @returns {Values | null}
 */
export function pointed(names, {event_name: kind = '', origin, x, y}, settings, frame) {
  if (typeof x !== 'number' || !frame) return null
  const drags = kind === 'pan' || kind === 'panstart'
  if (!drags && kind !== 'tap') return null
  if (origin?.id === names['_loss._plot']) return toMoment(frame, x)
  if (typeof y !== 'number') return null
  if (origin?.id === names['_features.figure']) return drags ? null : toggled(settings, x, y)
  if (origin?.id !== names['_maps.figure']) return null
  const layers = trainedOf(frame).map(name => frame.quantities[`${name}_weight_gradients`].shape[1])
  const place = pressed(layers, Number(settings.layer), x, y, drags)
  if (!place) return null
  if ('layer' in place) return {layer: String(place.layer)}
  const [left, low] = place.point.map(side => side * Number(frame.results.reach))
  return settings.task === 'own' ? {points: redrawn(settings, left, low)} : null
}

/** The stored moment nearest to a step. @param {TrainingFrame} frame @param {number} step */
function toMoment(frame, step) {
  const steps = trainedOf(frame).length ? Array.from(frame.quantities.steps.values) : [0]
  const distances = steps.map(other => Math.abs(other - step))
  const at = distances.indexOf(Math.min(...distances))
  return {moment: String(nearest((100 * at) / Math.max(steps.length - 1, 1)))}
}

/** @param {Values} settings @param {number} x @param {number} y @returns {Values | null} */
function toggled(settings, x, y) {
  const name = pressedFeature(x, y)
  return name === undefined ? null : {[`feed_${name}`]: settings[`feed_${name}`] === 'yes' ? 'no' : 'yes'}
}

/** The reader's points with one more, or without the nearest. @param {Values} settings @param {number} x @param {number} y */
function redrawn({points, pen}, x, y) {
  if (pen === 'erase') {
    const places = ownPoints(points).points
    const distances = Array.from({length: places.length / 2}, (_, at) =>
      Math.hypot(places[2 * at] - x, places[2 * at + 1] - y),
    )
    const least = Math.min(...distances)
    if (!(least <= NEAR)) return points
    const start = 5 * distances.indexOf(least)
    return points.slice(0, start) + points.slice(start + 5)
  }
  const inside = [x, y].every(side => side >= -OWN_REACH && side < OWN_REACH)
  if (!inside || points.length >= LONGEST) return points
  const cell = (/** @type {number} */ side) =>
    String(Math.min(Math.trunc(((side / OWN_REACH + 1) / 2) * CELLS), CELLS - 1)).padStart(2, '0')
  return points + pen + cell(x) + cell(y)
}
