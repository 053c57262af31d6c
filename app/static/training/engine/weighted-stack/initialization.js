// The layout and the start of a stack with a weight on every skip, as in sims/engines/perceptrons/weighted_stack.py.
import {Generator} from '../numerics/draws.js'

/** @typedef {import('../numerics/draws.js').Ziggurat} Ziggurat */
/** @typedef {{rows: number, columns: number, weight: number, bias: number}} Layer its offsets in the vector of all parameters; −1 for no bias */
/** @typedef {{layers: Layer[], skips: number, size: number}} Layout `skips`: the offset of λ of the first block */
/** @typedef {{random: Generator, numbers: number[]}} Drawn standard normal numbers, with which networks of all depths begin */

export const WIDTH = 32

/** @param {WeightedStack} stack @param {number} features @param {number} classes @returns {Layout} */
export function layoutOf({skips: {length: blocks}}, features, classes) {
  const inBlocks = Array.from({length: 2 * blocks}, () => [WIDTH, WIDTH])
  let offset = 0
  const layers = [[WIDTH, features], ...inBlocks, [classes, WIDTH]].map(([rows, columns]) => {
    const layer = {rows, columns, weight: offset, bias: -1}
    offset += rows * columns
    return layer
  })
  layers[layers.length - 1].bias = offset
  return {layers, skips: offset + classes, size: offset + classes + blocks}
}

/** @type {Map<number, Drawn>} by seed */
const drawn = new Map()

/**
 * The initial parameters (seeds, size), row by row. What was drawn is kept for the same seeds.
 * @param {WeightedStack} stack @param {Layout} layout @param {number[]} seeds @param {Ziggurat} ziggurat
 */
export function initialOfAll({skips}, layout, seeds, ziggurat) {
  for (const seed of drawn.keys()) if (!seeds.includes(seed)) drawn.delete(seed)
  const parameters = new Float32Array(seeds.length * layout.size)
  for (const [place, seed] of seeds.entries()) {
    const ofSeed = parameters.subarray(place * layout.size, (place + 1) * layout.size)
    fill(ofSeed, layout, seed, ziggurat)
    ofSeed.set(skips, layout.skips)
  }
  return parameters
}

/** @param {Float32Array} parameters @param {Layout} layout @param {number} seed @param {Ziggurat} ziggurat */
function fill(parameters, {layers}, seed, ziggurat) {
  const {random, numbers} = drawn.get(seed) ?? {random: new Generator([seed, 0], ziggurat), numbers: []}
  drawn.set(seed, {random, numbers})
  for (const [layer, {rows, columns, weight}] of layers.entries()) {
    const entersRelu = layer % 2 === 1 && layer < layers.length - 1
    const deviation = Math.sqrt((entersRelu ? 2 : 1) / columns)
    for (let at = weight; at < weight + rows * columns; at++) {
      if (at === numbers.length) numbers.push(random.nextNormal())
      parameters[at] = deviation * numbers[at]
    }
  }
}
