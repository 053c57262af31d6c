// Where every parameter of a transformer is in the one vector that the optimizer updates, and its initial weights: as in
// sims/engines/transformers/layout.py and initialization.py.
import {Generator} from '../numerics/draws.js'

/** @typedef {import('../perceptrons/layout.js').Linear} Linear */
/** @typedef {{layers: Linear[], positions: number, size: number}} TransformerLayout the embedding, two layers of each sublayer, the head; and the offset of the position vectors */

/** The defaults of `Transformer`. @param {TransformerArchitecture} architecture @returns {Required<TransformerArchitecture>} */
export const completed = architecture => ({
  ...{width: 16, heads: 2, hidden: 32, final_norm: true, causal: false},
  ...architecture,
})

/** @param {TransformerArchitecture} architecture @param {number} inputs @param {number} outputs @returns {TransformerLayout} */
export function transformerLayout(architecture, inputs, outputs) {
  const {depth, width, tokens, hidden} = completed(architecture)
  const sublayers = Array.from({length: depth}, (_, sublayer) =>
    sublayer % 2
      ? [
          {rows: hidden, columns: width},
          {rows: width, columns: hidden},
        ]
      : [
          {rows: 3 * width, columns: width},
          {rows: width, columns: width},
        ],
  ).flat()
  let end = 0
  const shapes = [{rows: width, columns: inputs / tokens}, ...sublayers, {rows: outputs, columns: width}]
  const layers = shapes.map(({rows, columns}, number) => {
    const weight = end
    // Only the embedding has no bias: the position vectors play its part.
    const bias = number ? weight + rows * columns : -1
    end = weight + rows * columns + (number ? rows : 0)
    return {rows, columns, weight, bias}
  })
  return {layers, positions: end, size: end + tokens * width}
}

/**
 * The initial parameters of one seed, in single precision.
 * @param {TransformerArchitecture} architecture @param {TransformerLayout} layout @param {number} seed @param {import('../numerics/draws.js').Ziggurat} ziggurat
 */
export function initialTransformer(architecture, {layers, positions, size}, seed, ziggurat) {
  const {depth, width, norm, initialization} = completed(architecture)
  const random = new Generator([seed, 0], ziggurat)
  const parameters = new Float32Array(size)
  for (const [number, {rows, columns, weight, bias}] of layers.entries()) {
    // Layer 0 is the embedding; each sublayer has two layers; the last layer is the head.
    const isInside = number > 0 && number < layers.length - 1
    const isSecond = number % 2 === 0
    const attends = isInside && Math.floor((number - 1) / 2) % 2 === 0
    const isQueries = attends && !isSecond
    const weights = drawn(initialization, rows, columns, random, isQueries, isInside && !attends && !isSecond)
    if (norm === 'deep-norm' && isInside) {
      // Of attention's first layer, β multiplies only the values, not queries and keys.
      const first = isQueries ? 2 * width * columns : 0
      const shrink = (4 * Math.max(depth, 1)) ** -0.25
      for (let at = first; at < weights.length; at++) weights[at] *= shrink
    }
    parameters.set(weights, weight)
    if (initialization === 'default' && bias >= 0 && !attends) {
      const bound = columns ** -0.5
      parameters.set(random.uniform(-bound, bound, rows), bias)
    }
  }
  parameters.set(random.normal(1, size - positions), positions)
  return parameters
}

/** @param {string} initialization @param {number} rows @param {number} columns @param {Generator} random @param {boolean} isQueries @param {boolean} isBeforeReLU */
function drawn(initialization, rows, columns, random, isQueries, isBeforeReLU) {
  const count = rows * columns
  if (initialization === 'he') return random.normal(Math.sqrt((isBeforeReLU ? 2 : 1) / columns), count)
  if (initialization === 'xavier') return random.normal(Math.sqrt(2 / (rows + columns)), count)
  const bound = isQueries ? Math.sqrt(6 / (rows + columns)) : columns ** -0.5
  return random.uniform(-bound, bound, count)
}
