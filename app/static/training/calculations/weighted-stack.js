// The start of a stack with a weight on every skip, as in sims/engines/perceptrons/weighted_stack.py.
import {Generator} from '../engine/draws.js'

/** @typedef {import('../engine/draws.js').Ziggurat} Ziggurat */
/** @typedef {{values: Float64Array, turned: Float64Array}} Matrix (outputs, inputs) and (inputs, outputs), row by row */
/** @typedef {{stem: Matrix, blocks: [first: Matrix, last: Matrix][], head: Matrix}} Matrices */

const WIDTH = 32

/** @typedef {{random: Generator, numbers: number[], depths: Map<number, Matrices>}} Drawn standard normal numbers, with which networks of all depths begin, and what was made of them */
/** @type {Map<number, Drawn>} by seed */
const drawn = new Map()

/** Forgets what was drawn for other seeds. @param {number[]} seeds */
export function keepOnly(seeds) {
  for (const seed of drawn.keys()) if (!seeds.includes(seed)) drawn.delete(seed)
}

/**
 * The initial matrices of one seed, rounded to single precision.
 * @param {WeightedStack} stack @param {number} features @param {number} classes @param {number} seed @param {Ziggurat} ziggurat
 * @returns {Matrices}
 */
export function initialMatrices({skips}, features, classes, seed, ziggurat) {
  const depth = skips.length
  /** @type {Drawn} */
  const entry = drawn.get(seed) ?? {random: new Generator([seed, 0], ziggurat), numbers: [], depths: new Map()}
  drawn.set(seed, entry)
  const {random, numbers, depths} = entry
  const matrices = depths.get(depth)
  if (matrices) return matrices
  let at = 0
  const matrix = (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {number} */ gain) => {
    const deviation = Math.sqrt(gain / columns)
    const values = new Float64Array(rows * columns)
    for (let index = 0; index < values.length; index++, at++) {
      if (at === numbers.length) numbers.push(random.nextNormal())
      values[index] = Math.fround(deviation * numbers[at])
    }
    return {values, turned: transposed(values, columns)}
  }
  const stem = matrix(WIDTH, features, 1)
  const blocks = Array.from(
    {length: depth},
    () => /** @type {[Matrix, Matrix]} */ ([matrix(WIDTH, WIDTH, 2), matrix(WIDTH, WIDTH, 1)]),
  )
  const network = {stem, blocks, head: matrix(classes, WIDTH, 1)}
  depths.set(depth, network)
  return network
}

/** A matrix with its rows as columns. @param {Float64Array} values @param {number} columns */
export function transposed(values, columns) {
  const rows = values.length / columns
  const turned = new Float64Array(values.length)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) turned[column * rows + row] = values[row * columns + column]
  return turned
}
