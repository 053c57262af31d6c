// The figure `corrections` without a server: what sims/simulations/shortcuts/corrections.py and
// app/views/shortcuts/corrections.py do. Python stays the source: tests/twins compares everything that both give.
import {formatted, number} from '../../../shared/numbers.js'
import {draggedInput, showArrows} from '../../pictures/charts/arrows.js'
import {showImageStages} from '../../pictures/maps/image-stages.js'
import {last, quantity} from '../../frame.js'
import {Picture} from '../../pictures/picture.js'

/** @typedef {import('../../calculations/random-stacks.js').Stacks} Stacks */
/** @typedef {import('../../pictures/charts/arrows.js').Place} Place */

export const NAME = 'corrections'
export const TITLE = 'A chain of corrections'

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {
  depth: 'int',
  strength: 'float',
  ending: 'text',
  digit: 'int',
  x1: 'float',
  x2: 'float',
  seed: 'int',
}

export const COUNTS = ['depth'] // results that are whole numbers

const SIDE = 8,
  SIZE = SIDE * SIDE // pixels of an image
const FARTHEST = 2 // of a number that a reader sets
const NETWORKS = /** @type {const} */ (['plain', 'residual'])

/** @param {Values} settings @returns {RandomStacksCalculation} */
export const calculation = ({depth, strength, ending, digit, x1, x2, seed}) => ({
  name: 'random stacks',
  data: 'digits',
  digit: Number(digit),
  point: [Number(x1), Number(x2)],
  depth: Number(depth),
  strength: Number(strength),
  rectified: ending === 'relu',
  seed: Number(seed),
})

/**
 * @param {unknown} measured
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(measured, settings) {
  const stacks = /** @type {Stacks} */ (measured)
  const depth = Number(settings.depth)
  /** @type {Record<string, Quantity>} */
  const quantities = {}
  /** @type {Record<string, number>} */
  const results = {depth, strength: Number(settings.strength)}
  for (const name of NETWORKS) {
    const {images, walk} = stacks[name]
    const image = images.subarray(0, SIZE)
    const outputs = Array.from({length: depth + 1}, (_, block) => images.subarray(block * SIZE, (block + 1) * SIZE))
    const norms = Float64Array.from(outputs, output => length(output) / length(image)),
      cosines = Float64Array.from(outputs, output => cosine(image, output))
    const axes = ['block', 'row', 'column']
    const shape = [depth + 1, SIDE, SIDE]
    quantities[`${name}_images`] = quantity(images, `${name}: the digit after every block`, 'relative', axes, shape)
    const places = [depth + 1, 2]
    quantities[`${name}_walk`] = quantity(walk, `${name}: two numbers`, 'relative', ['block', 'coordinate'], places)
    quantities[`${name}_norms`] = quantity(norms, `${name}: length against the input's`, 'relative', ['block'])
    quantities[`${name}_cosines`] = quantity(cosines, `${name}: cosine with the input`, 'relative', ['block'])
    results[`${name}_norm`] = last(norms)
    results[`${name}_cosine`] = last(cosines)
  }
  const {images} = stacks.residual
  results.lowest_increment = images
    .subarray(SIZE)
    .reduce((lowest, value, at) => Math.min(lowest, value - images[at]), Infinity)
  return {quantities, results, counts: COUNTS, step: 0, steps: 0, diverged: []}
}

/** @param {Float64Array} one @param {Float64Array} other */
const dot = (one, other) => one.reduce((sum, value, at) => sum + value * other[at], 0)

/** @param {Float64Array} vector */
const length = vector => Math.sqrt(dot(vector, vector))

/** 0 if one of the vectors is 0. @param {Float64Array} one @param {Float64Array} other */
function cosine(one, other) {
  const lengths = length(one) * length(other)
  return lengths ? dot(one, other) / lengths : 0
}

/** With two decimals, and a sign even before 0.00. @param {number} value */
function hundredths(value) {
  const text = formatted(value, '.2f')
  return value < 0 && !text.startsWith('−') ? `−${text}` : text
}

/** A zero is called exact. @param {number} value */
const exactOr = value => (value === 0 ? 'exactly 0' : number(value, 2))

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 * @param {Values} settings
 */
export function describe({results}, {depth, strength}) {
  const sentences = NETWORKS.map(
    name =>
      `the ${name} stack has made the digit's vector ${exactOr(Number(results[`${name}_norm`]))} times as long, and its ` +
      `cosine with what went in is ${hundredths(Number(results[`${name}_cosine`]))}`,
  )
  const blocks = `${depth} block${depth === '1' ? '' : 's'}`
  return `After ${blocks} of strength ${number(Number(strength), 6)}, ${sentences.join('; ')}.`
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export const disclosure = ({depth, strength, ending, seed}) => ({
  network:
    `${depth} blocks; each branch is one random matrix with entries of variance 1/width` +
    `${ending === 'relu' ? ' and a ReLU' : ''}, times ${number(Number(strength), 6)}. Both stacks have the same matrices; ` +
    'nothing is trained.',
  data: 'A real handwritten digit of 8 × 8 pixels, its mean subtracted; for the arrows, two numbers that you choose.',
  seeds: `One (${seed}); try another to see what depends on it.`,
  cannot_show: 'What trained blocks write. The blocks here are random and show only how a chain treats its input.',
})

/**
 * Drags the input of the arrows.
 * @param {Record<string, string>} names @param {{event_name?: string, origin?: {id: string}, x?: number, y?: number}} gesture
 */
export const pointed = (names, gesture) =>
  gesture.origin?.id === names['_walk.figure'] ? draggedInput(gesture, FARTHEST) : null

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 */
export function update(names, {quantities, results}) {
  const picture = new Picture(names)
  const values = (/** @type {string} */ name) => /** @type {Float64Array} */ (quantities[name].values)
  const depth = values('plain_norms').length - 1
  for (const name of NETWORKS) {
    const [cosineAtEnd, norm] = ['cosine', 'norm'].map(measure => Number(results[`${name}_${measure}`]))
    const words = `cosine with the input:\n${formatted(cosineAtEnd, '.2f')} at the end;\n${exactOr(norm)} times as long`
    const cosines = Array.from(values(`${name}_cosines`))
    const labels = cosines.slice(1).map((value, at) => `${at + 1}: ${hundredths(value)}`)
    showImageStages(picture, `_stages.${name}`, values(`${name}_images`), SIDE, cosines, labels, name, words)
    for (const measure of ['norms', 'cosines']) {
      const shown = Array.from(values(`${name}_${measure}`), value => (value === 0 ? NaN : value))
      picture.set(`_curves.${name}_${measure}`, {data: {x: shown.map((_, block) => block), y: shown}})
    }
  }
  picture.fit(
    '_lengths',
    NETWORKS.map(name => values(`${name}_norms`)),
  )
  for (const axis of ['_axes.0', '_axes.1']) picture.set(`${axis}.x_range`, {start: -0.2, end: depth + 0.2})
  const place = (/** @type {Float64Array} */ walk, /** @type {number} */ block) =>
    /** @type {Place} */ ([walk[2 * block], walk[2 * block + 1]])
  const steps = NETWORKS.map(name => {
    const walk = values(`${name}_walk`)
    return [name, Array.from({length: depth}, (_, block) => [place(walk, block), place(walk, block + 1)])]
  })
  showArrows(picture, '_walk', {x: [[[0, 0], place(values('plain_walk'), 0)]], ...Object.fromEntries(steps)})
  return picture.changes
}
