// Inputs on their way through stacks of random blocks, with and without skips, as in
// sims/simulations/shortcuts/corrections.py. NumPy multiplies by a matrix with BLAS, which adds in an order of its own, so
// the last digits may differ.
import {Generator} from '../engine/numerics/draws.js'

/** @typedef {import('../engine/data.js').Data} Data */
/** @typedef {import('../engine/numerics/draws.js').Ziggurat} Ziggurat */
/** @typedef {{images: Float64Array, walk: Float64Array}} Streams after every block: (depth + 1, 64) and (depth + 1, 2), row by row */
/** @typedef {{plain: Streams, residual: Streams}} Stacks */

const INK = 16 // the darkest pixel
const EVERY = 5 // images, the last of which is held out

/**
 * @param {RandomStacksCalculation} calculation @param {Data} data @param {Ziggurat} ziggurat
 * @returns {Stacks}
 */
export function measured({digit, point, depth, strength, rectified, seed}, data, ziggurat) {
  const [image, two] = [imageOf(data, digit), Float64Array.from(point)].map(input => {
    const weights = weightsOf(seed, input.length, depth, ziggurat)
    const streams = (/** @type {boolean} */ skip) => streamsOf(input, weights, {depth, strength, rectified, skip})
    return {plain: streams(false), residual: streams(true)}
  })
  return {
    plain: {images: image.plain, walk: two.plain},
    residual: {images: image.residual, walk: two.residual},
  }
}

/** The first image of a digit, with mean 0 and mean square 1. @param {Data} data @param {number} digit */
function imageOf({features, train, test}, digit) {
  const [low, high] = [train.inputs.reduce((a, b) => Math.min(a, b)), train.inputs.reduce((a, b) => Math.max(a, b))]
  const first = [train, test].map(({labels}) => labels.indexOf(BigInt(digit)))
  const places = [first[0] + Math.floor(first[0] / (EVERY - 1)), EVERY * first[1] + EVERY - 1]
  const part = places[0] < places[1] ? 0 : 1
  const {inputs, labels} = [train, test][part]
  // The pixels were shifted and scaled; they are whole numbers.
  const pixels = Float64Array.from({length: features}, (_, pixel) =>
    Math.round((INK * (inputs[pixel * labels.length + first[part]] - low)) / (high - low)),
  )
  const mean = pixels.reduce((sum, pixel) => sum + pixel, 0) / features
  const shifted = pixels.map(pixel => pixel - mean)
  const deviation = Math.sqrt(shifted.reduce((sum, value) => sum + value * value, 0) / features)
  return shifted.map(value => value / deviation)
}

/** @type {{seed: number, random: Map<number, {generator: Generator, numbers: number[]}>}} what was drawn last, by width */
let drawn = {seed: -1, random: new Map()}

/** The matrices of all blocks, one after the other. @param {number} seed @param {number} width @param {number} depth @param {Ziggurat} ziggurat */
function weightsOf(seed, width, depth, ziggurat) {
  if (drawn.seed !== seed) drawn = {seed, random: new Map()}
  const ofWidth = drawn.random.get(width) ?? {generator: new Generator([seed, width], ziggurat), numbers: []}
  drawn.random.set(width, ofWidth)
  const {generator, numbers} = ofWidth
  const count = depth * width * width
  while (numbers.length < count) numbers.push(generator.nextNormal())
  const deviation = 1 / Math.sqrt(width)
  return Float64Array.from({length: count}, (_, at) => deviation * numbers[at])
}

/** @param {Float64Array} input @param {Float64Array} weights @param {{depth: number, strength: number, rectified: boolean, skip: boolean}} stack */
function streamsOf(input, weights, {depth, strength, rectified, skip}) {
  const width = input.length
  const streams = new Float64Array((depth + 1) * width)
  streams.set(input)
  for (let block = 0; block < depth; block++)
    for (let unit = 0; unit < width; unit++) {
      const row = (block * width + unit) * width,
        before = block * width
      let sum = 0
      for (let at = 0; at < width; at++) sum += weights[row + at] * streams[before + at]
      const branch = strength * (rectified ? Math.max(sum, 0) : sum)
      streams[before + width + unit] = skip ? streams[before + unit] + branch : branch
    }
  return streams
}
