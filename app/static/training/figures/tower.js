// The figure `tower` without a server: what sims/simulations/depth/tower.py and app/views/depth/tower.py do.
// Python stays the source: tests/twins compares everything that both give.
import {number} from '../../shared/numbers.js'
import {inWords, missing, skips, wiring} from '../calculations/wirings.js'
import {pressedBlock, showLitNetwork} from '../charts/lit-network.js'
import {showSignalLines} from '../charts/signal-lines.js'
import {last, medians, quantity} from '../frame.js'
import {written} from '../parameters.js'
import {Picture} from '../pictures.js'
import {seedsOf} from '../recipe/recipe.js'
import {DATA} from '../recipe/words.js'

export const NAME = 'tower'
export const TITLE = 'A network before it learns, with a switch at every plus sign'

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  cut: 'text',
  strength: 'text',
  norm: 'text',
  blocks: 'int',
  seeds: 'int',
  seed: 'int',
}

export const COUNTS = ['plus_signs'] // results that are whole numbers

const COMPARED = 64 // held-out images
/** The label and unit of every signal. @type {Record<string, [label: string, unit: string]>} */
const SIGNALS = {
  stream: ['root mean square of the stream', "relative to the stem's output"],
  likeness: ['mean cosine between the streams of different images', 'cosine'],
  gradient: ["root mean square of the stream's gradient", 'relative to that after the last block'],
}

/** @param {Values} settings */
const blocksOf = ({blocks}) => Number(blocks)

/** The blocks without a plus sign, counted from 1. @param {Values} settings */
const withoutSkip = settings => missing(settings.cut, blocksOf(settings))

/** The factor on every branch. @param {Values} settings */
function factorOf(settings) {
  const factors = {tenth: 0.1, root: blocksOf(settings) ** -0.5, library: 18 ** -0.5, half: 0.5, full: 1}
  return factors[/** @type {keyof typeof factors} */ (settings.strength)]
}

/**
 * What is to be measured.
 * @param {Values} settings
 * @returns {WeightedPassesCalculation}
 */
export function calculation(settings) {
  const {norm} = settings
  return {
    name: 'weighted passes',
    stack: {
      skips: skips(withoutSkip(settings), blocksOf(settings)),
      factor: factorOf(settings),
      norm: norm === 'pre',
    },
    normed_sums: norm === 'post',
    data: 'digits',
    points: COMPARED,
    seeds: seedsOf(settings),
  }
}

/**
 * @param {unknown} measured
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(measured, settings) {
  const passes = /** @type {import('../calculations/weighted-passes.js').Passes} */ (measured)
  const seeds = Number(settings.seeds),
    places = passes.stream.length / seeds
  // Stream and gradient are relative to the places where they begin.
  const beginning = {stream: 0, gradient: places - 1}
  const relative = (/** @type {'stream' | 'gradient'} */ name) =>
    passes[name].map((value, at, all) => value / all[at - (at % places) + beginning[name]])
  const signals = {stream: relative('stream'), likeness: passes.likeness, gradient: relative('gradient')}
  const /** @type {Record<string, Quantity>} */ quantities = {}
  for (const [name, values] of Object.entries(signals)) {
    const [label, unit] = SIGNALS[name]
    quantities[name] = quantity(medians(values, seeds), `${label}, median of the seeds`, unit, ['place'])
  }
  const {stream, likeness, gradient} = quantities
  const results = {
    plus_signs: blocksOf(settings) - withoutSkip(settings).length,
    came: angle(likeness.values[0]),
    apart: angle(last(likeness.values)),
    stream: last(stream.values),
    gradient: gradient.values[0],
  }
  return {quantities, results, counts: COUNTS, step: 0, steps: 0, diverged: []}
}

/** The angle that belongs to a cosine, in degrees. @param {number} cosine */
const angle = cosine => Math.acos(Math.min(Math.max(cosine, -1), 1)) * (180 / Math.PI)

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe({results}, settings) {
  const norms = {none: 'no norm', pre: 'norms before the branches', post: 'norms after the sums'}
  const norm = norms[/** @type {keyof typeof norms} */ (settings.norm)]
  const strength = number(factorOf(settings), 2)
  const beginning = wiring(withoutSkip(settings), blocksOf(settings))
  return `${beginning}, ${norm} and branches of strength ${strength}: ${inWords(results)}.`
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export function honesty(settings) {
  const norms = {
    none: 'no norm',
    pre: 'a LayerNorm before each branch and before the head',
    post: 'a LayerNorm after each sum',
  }
  return {
    network:
      `${blocksOf(settings)} untrained blocks of Linear–ReLU–Linear without biases on a stream of 32 numbers, ` +
      `${norms[/** @type {keyof typeof norms} */ (settings.norm)]}; a linear stem and head. A block without a plus ` +
      `sign outputs its branch alone. Weights are normal; a branch's output is ${number(factorOf(settings), 2)} times ` +
      'as large as its input, on average.',
    data: `${DATA.digits} Signals are measured on ${COMPARED} held-out images.`,
    seeds: `${settings.seeds} (from ${settings.seed}); lines and numbers are their median.`,
    cannot_show: 'Training, and which images grow alike: sizes and angles are averages.',
  }
}

/**
 * A press on an arc takes its plus sign out, or puts it back.
 * @param {Record<string, string>} names @param {{event_name?: string, origin?: {id: string}, x?: number, y?: number}} gesture
 * @param {Values} settings
 */
export function pointed(names, gesture, settings) {
  if (gesture.origin?.id !== names['_network.figure'] || gesture.event_name !== 'tap') return null
  const block = pressedBlock(gesture, blocksOf(settings))
  if (block === null) return null
  const without = withoutSkip(settings)
  return {cut: written(without.includes(block) ? without.filter(other => other !== block) : [...without, block])}
}

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function update(names, {quantities, results}, settings) {
  const picture = new Picture(names)
  const {stream, likeness, gradient} = quantities
  const words = (/** @type {string} */ name) => number(Number(results[name]), 2)
  const light = {
    stream: stream.values,
    degrees: Array.from(likeness.values, angle),
    gradient: gradient.values,
    forwardWords: `Forward →  stream × ${words('stream')}, images ${words('came')}° → ${words('apart')}° apart`,
    backWords: `← Back  gradient × ${words('gradient')}`,
    norm: settings.norm,
  }
  showLitNetwork(picture, '_network', light, withoutSkip(settings))
  const signals = Object.entries(quantities).map(([name, {values}]) => [name, {now: values}])
  showSignalLines(picture, '_signals', Object.fromEntries(signals))
  return picture.changes
}
