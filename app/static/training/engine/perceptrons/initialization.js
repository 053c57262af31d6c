// Initial weights of a perceptron, as in sims/engines/perceptrons/initialization.py: the same draws in the same order.
import {Generator} from '../numerics/draws.js'
import {layersPerBlock} from './layout.js'

/** @typedef {import('./layout.js').Layout} Layout */

/**
 * The initial parameters of one seed, in double precision.
 * @param {NetworkArchitecture} architecture @param {Layout} layout @param {number} seed @param {import('../numerics/draws.js').Ziggurat} ziggurat
 */
export function initialParameters(architecture, {layers, gates, size, blocks}, seed, ziggurat) {
  const {initialization, norm, skip, gate_bias: gateBias = -2} = architecture
  const random = new Generator([seed, 0], ziggurat)
  const parameters = new Float64Array(size)
  for (const [number, {rows, columns, weight, bias}] of layers.entries()) {
    const stem = number === 0,
      head = number === layers.length - 1
    // The stem is layer 0, so the last layers of the blocks have multiples of the layers in a block as numbers.
    const lastOfBranch = !(stem || head) && number % layersPerBlock(architecture) === 0
    const {weights, biases} =
      initialization === 'looks-linear'
        ? {weights: mirrored(rows, columns, random, stem, head), biases: new Float64Array(rows)}
        : drawn(architecture, rows, columns, random)
    if (initialization === 'zero-last' && lastOfBranch) weights.fill(0)
    const shrink = norm === 'deep-norm' && !(stem || head) ? (4 * Math.max(blocks, 1)) ** -0.25 : 1
    parameters.set(shrink === 1 ? weights : weights.map(number => number * shrink), weight)
    if (bias >= 0) parameters.set(biases, bias)
  }
  for (const {rows, columns, weight, bias} of gates) {
    parameters.set(drawn(architecture, rows, columns, random).weights, weight)
    parameters.fill(skip === 'highway' ? gateBias : 0, bias, bias + rows)
  }
  return parameters
}

/**
 * Those of several seeds, one after the other, in single precision.
 * @param {NetworkArchitecture} architecture @param {Layout} layout @param {number[]} seeds @param {import('../numerics/draws.js').Ziggurat} ziggurat
 */
export function initialOfAll(architecture, layout, seeds, ziggurat) {
  const parameters = new Float32Array(seeds.length * layout.size)
  for (const [place, seed] of seeds.entries())
    parameters.set(initialParameters(architecture, layout, seed, ziggurat), place * layout.size)
  return parameters
}

/** @param {NetworkArchitecture} architecture @param {number} rows @param {number} columns @param {Generator} random */
function drawn({initialization, activation = 'relu'}, rows, columns, random) {
  const count = rows * columns
  const normal = (/** @type {number} */ variance) => random.normal(Math.sqrt(variance), count)
  const zeros = new Float64Array(rows)
  switch (initialization) {
    case 'default': {
      const bound = columns ** -0.5
      return {weights: random.uniform(-bound, bound, count), biases: random.uniform(-bound, bound, rows)}
    }
    case 'he':
    case 'zero-last':
      return {weights: normal(2 / columns), biases: zeros}
    case 'xavier':
      return {weights: normal(2 / (rows + columns)), biases: zeros}
    case 'orthogonal':
    case 'looks-linear': {
      const gain = activation === 'relu' ? Math.SQRT2 : 1
      return {weights: orthogonal(rows, columns, random).map(number => gain * number), biases: zeros}
    }
    case 'uniform':
      return {weights: random.uniform(-0.5, 0.5, count), biases: zeros.fill(0.1)}
  }
  throw new RangeError(`there is no start named ${initialization}`)
}

/**
 * [[A, −A], [−A, A]] with A orthogonal; [A; −A] for the stem and [A, −A] for the head.
 * @param {number} rows @param {number} columns @param {Generator} random @param {boolean} stem @param {boolean} head
 */
function mirrored(rows, columns, random, stem, head) {
  const [tall, wide] = [head ? rows : rows / 2, stem ? columns : columns / 2]
  const part = orthogonal(tall, wide, random)
  return Float64Array.from({length: rows * columns}, (_, index) => {
    const [row, column] = [Math.floor(index / columns), index % columns]
    const sign = row < tall === column < wide ? 1 : -1
    return sign * part[(row % tall) * wide + (column % wide)]
  })
}

/**
 * A matrix with orthonormal rows, or columns if there are fewer of them, uniformly among all of these: as in
 * sims/engines/orthogonal.py, but by reflections of our own (Householder), so that the last digit of a double may differ.
 * @param {number} rows @param {number} columns @param {Generator} random
 */
export function orthogonal(rows, columns, random) {
  const tall = Math.max(rows, columns),
    wide = Math.min(rows, columns)
  const reduced = random.normal(1, tall * wide)
  const q = new Float64Array(tall * wide)
  for (let column = 0; column < wide; column++) q[column * wide + column] = 1
  const /** @type {{reflector: Float64Array, beta: number}[]} */ reflectors = []
  for (let column = 0; column < wide; column++) {
    const reflector = new Float64Array(tall)
    for (let row = column; row < tall; row++) reflector[row] = reduced[row * wide + column]
    const length = Math.hypot(...reflector)
    const beta = reflector[column] < 0 ? length : -length // the diagonal of R
    reflector[column] -= beta
    reflect(reduced, reflector, tall, wide)
    reflectors.push({reflector, beta})
  }
  for (const {reflector} of reflectors.toReversed()) reflect(q, reflector, tall, wide)
  // The signs of R make the distribution uniform: the reflections alone prefer some signs.
  const signs = reflectors.map(({beta}) => Math.sign(beta))
  for (let index = 0; index < q.length; index++) q[index] *= signs[index % wide]
  if (rows >= columns) return q
  return Float64Array.from({length: q.length}, (_, index) => q[(index % columns) * wide + Math.floor(index / columns)])
}

/** Reflects all columns of a matrix: x − 2 v (v·x)/(v·v). @param {Float64Array} matrix @param {Float64Array} v @param {number} rows @param {number} columns */
function reflect(matrix, v, rows, columns) {
  let square = 0
  for (const part of v) square += part * part
  if (square === 0) return
  for (let column = 0; column < columns; column++) {
    let product = 0
    for (let row = 0; row < rows; row++) product += v[row] * matrix[row * columns + column]
    const times = (2 * product) / square
    for (let row = 0; row < rows; row++) matrix[row * columns + column] -= times * v[row]
  }
}
