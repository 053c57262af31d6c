// What a signal and its gradient meet on their way through stacks with a weight on every skip, as in
// sims/instruments/networks/weighted_passes.py. NumPy multiplies matrices with BLAS, which adds in an order of its own, so
// the last digits may differ. Values of a layer are (points, width), row by row.
import {initialOfAll, layoutOf} from '../engine/weighted-stack/initialization.js'
import {meanCosine} from '../observers/likeness.js'

/** @typedef {import('../engine/weighted-stack/initialization.js').Layout} Layout */
/** @typedef {{values: Float64Array, turned: Float64Array}} Matrix (outputs, inputs) and (inputs, outputs), row by row */
/** @typedef {{stem: Matrix, blocks: [first: Matrix, last: Matrix][], head: Matrix, bias: Float64Array, skips: Float64Array}} Network `bias` is the head's */
/** @typedef {{stream: Float64Array, likeness: Float64Array, gradient: Float64Array}} Passes each (seeds, places), row by row */
/** @typedef {{inputs: Float64Array, labels: number[], features: number, classes: number}} Compared `inputs` are (points, features) */

const EPSILON = 1e-5 // as in sims/engines/kernels/norms.py

/**
 * @param {WeightedPassesCalculation} calculation @param {import('../engine/data.js').Data} data @param {import('../engine/numerics/draws.js').Ziggurat} ziggurat
 * @returns {Passes}
 */
export function measured({stack, normed_sums: normedSums, points, seeds}, data, ziggurat) {
  const layout = layoutOf(stack, data.features, data.classes)
  const parameters = initialOfAll(stack, layout, seeds, ziggurat)
  return weightedPasses(stack, layout, parameters, firstOf(data, points), normedSums)
}

/**
 * Both passes of networks with these parameters (seeds, size).
 * @param {WeightedStack} stack @param {Layout} layout @param {Float32Array} parameters @param {Compared} compared @param {boolean} [normedSums]
 * @returns {Passes}
 */
export function weightedPasses(stack, layout, parameters, compared, normedSums = false) {
  const passes = Array.from({length: parameters.length / layout.size}, (_, place) => {
    const ofSeed = parameters.subarray(place * layout.size, (place + 1) * layout.size)
    return passesOf(stack, networkOf(ofSeed, layout), compared, normedSums)
  })
  const joined = (/** @type {keyof Passes} */ name) => Float64Array.from(passes.flatMap(one => [...one[name]]))
  return {stream: joined('stream'), likeness: joined('likeness'), gradient: joined('gradient')}
}

/** The parameters of one seed, in double precision. @param {Float32Array} parameters @param {Layout} layout @returns {Network} */
function networkOf(parameters, {layers, skips}) {
  const [stem, ...rest] = layers.map(({rows, columns, weight}) => {
    const values = Float64Array.from(parameters.subarray(weight, weight + rows * columns))
    return {values, turned: transposed(values, columns)}
  })
  const blocks = Array.from(
    {length: parameters.length - skips},
    (_, block) => /** @type {[Matrix, Matrix]} */ (rest.slice(2 * block, 2 * block + 2)),
  )
  return {
    ...{stem, blocks, head: rest[rest.length - 1]},
    bias: Float64Array.from(parameters.subarray(layers[layers.length - 1].bias, skips)),
    skips: Float64Array.from(parameters.subarray(skips)),
  }
}

/** A matrix with its rows as columns. @param {Float64Array} values @param {number} columns */
function transposed(values, columns) {
  const rows = values.length / columns
  const turned = new Float64Array(values.length)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) turned[column * rows + row] = values[row * columns + column]
  return turned
}

/** The first held-out points. @param {import('../engine/data.js').Data} data @param {number} count @returns {Compared} */
export function firstOf({features, classes, test}, count) {
  const columns = test.labels.length
  const inputs = new Float64Array(count * features)
  for (let point = 0; point < count; point++)
    for (let feature = 0; feature < features; feature++)
      inputs[point * features + feature] = test.inputs[feature * columns + point]
  return {inputs, labels: Array.from(test.labels.subarray(0, count), Number), features, classes}
}

/**
 * Both passes of one seed.
 * @param {WeightedStack} stack @param {Network} network @param {Compared} compared @param {boolean} normedSums
 */
function passesOf({factor, norm}, {stem, blocks, head, bias, skips}, {inputs, labels, features, classes}, normedSums) {
  const points = labels.length
  const width = stem.values.length / features
  /** @param {Float64Array} values @param {Float64Array} matrix @returns {Float64Array} */
  const product = (values, matrix) => multiplied(values, matrix, points)
  /** @param {boolean} present @param {Float64Array} values @returns {Float64Array} */
  const normal = (present, values) => (present ? normalized(values, points).normal : values)
  /** @param {boolean} present @param {Float64Array} gradient @param {Float64Array} values @returns {Float64Array} */
  const normalBack = (present, gradient, values) =>
    present ? normBack(gradient, normalized(values, points)) : gradient

  let stream = product(inputs, stem.turned)
  const streams = [stream],
    /** @type {Float64Array[]} */ hidden = [],
    /** @type {Float64Array[]} */ sums = []
  for (const [block, [first, last]] of blocks.entries()) {
    const active = rectified(product(normal(norm, stream), first.turned))
    const sum = summed(skips[block], stream, factor, product(active, last.turned))
    hidden.push(active)
    sums.push(sum)
    stream = normal(normedSums, sum)
    streams.push(stream)
  }
  const outputs = product(normal(norm, stream), head.turned).map((output, at) => output + bias[at % classes])
  let gradient = normalBack(norm, product(lossGradient(outputs, labels, classes), head.values), stream)
  const gradients = [gradient]
  for (let block = blocks.length - 1; block >= 0; block--) {
    const [first, last] = blocks[block]
    const arriving = normalBack(normedSums, gradient, sums[block])
    const entering = product(passed(product(arriving, last.values), factor, hidden[block]), first.values)
    gradient = summed(skips[block], arriving, 1, normalBack(norm, entering, streams[block]))
    gradients.unshift(gradient)
  }
  return {
    stream: streams.map(size),
    likeness: meanCosine(columnsOf(streams, points, width), [streams.length, width, points]),
    gradient: gradients.map(size),
  }
}

/**
 * Values (points, inner) times a matrix (inner, columns): two points and two columns at a time, since both are even.
 * @param {Float64Array} values @param {Float64Array} matrix @param {number} points
 */
function multiplied(values, matrix, points) {
  const inner = values.length / points,
    columns = matrix.length / inner
  const products = new Float64Array(points * columns)
  for (let point = 0; point < points; point += 2) {
    const from = point * inner
    for (let column = 0; column < columns; column += 2) {
      let [one, two, three, four] = [0, 0, 0, 0]
      for (let place = from, at = column; place < from + inner; place++, at += columns) {
        const value = values[place],
          other = values[place + inner]
        one += value * matrix[at]
        two += value * matrix[at + 1]
        three += other * matrix[at]
        four += other * matrix[at + 1]
      }
      const to = point * columns + column
      products[to] = one
      products[to + 1] = two
      products[to + columns] = three
      products[to + columns + 1] = four
    }
  }
  return products
}

/** Changes values to what a ReLU makes of them. @param {Float64Array} values */
function rectified(values) {
  for (let at = 0; at < values.length; at++) values[at] = Math.max(values[at], 0)
  return values
}

/** A sum with a weight on both of its parts. @param {number} skip @param {Float64Array} stream @param {number} factor @param {Float64Array} branch */
function summed(skip, stream, factor, branch) {
  const sum = new Float64Array(stream.length)
  for (let at = 0; at < sum.length; at++) sum[at] = skip * stream[at] + factor * branch[at]
  return sum
}

/** Changes a gradient to what a ReLU and the factor on its branch let pass. @param {Float64Array} gradient @param {number} factor @param {Float64Array} active */
function passed(gradient, factor, active) {
  for (let at = 0; at < gradient.length; at++) gradient[at] = factor * gradient[at] * (active[at] > 0 ? 1 : 0)
  return gradient
}

/** The values of all places as (places, width, points). @param {Float64Array[]} streams @param {number} points @param {number} width */
function columnsOf(streams, points, width) {
  const columns = new Float64Array(streams.length * width * points)
  for (const [place, stream] of streams.entries()) columns.set(transposed(stream, width), place * width * points)
  return columns
}

/** @typedef {{normal: Float64Array, scales: Float64Array}} Normalized `scales`: 1/σ of every point */

/** As in sims/instruments/hand_derived/layer_norm.py. @param {Float64Array} values @param {number} points @returns {Normalized} */
function normalized(values, points) {
  const width = values.length / points
  const normal = new Float64Array(values.length),
    scales = new Float64Array(points)
  for (let point = 0; point < points; point++) {
    const row = values.subarray(point * width, (point + 1) * width)
    const mean = row.reduce((sum, value) => sum + value, 0) / width
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width
    const scale = 1 / Math.sqrt(variance + EPSILON)
    scales[point] = scale
    for (let unit = 0; unit < width; unit++) normal[point * width + unit] = (row[unit] - mean) * scale
  }
  return {normal, scales}
}

/** @param {Float64Array} gradient @param {Normalized} norm */
function normBack(gradient, {normal, scales}) {
  const width = gradient.length / scales.length
  const back = new Float64Array(gradient.length)
  for (const [point, scale] of scales.entries()) {
    const from = point * width
    let level = 0,
      along = 0
    for (let unit = from; unit < from + width; unit++) {
      level += gradient[unit]
      along += gradient[unit] * normal[unit]
    }
    for (let unit = from; unit < from + width; unit++)
      back[unit] = (gradient[unit] - level / width - (normal[unit] * along) / width) * scale
  }
  return back
}

/** The gradient of each point's own cross-entropy, (points, classes). @param {Float64Array} outputs @param {number[]} labels @param {number} classes */
function lossGradient(outputs, labels, classes) {
  const gradient = new Float64Array(outputs.length)
  for (const [point, label] of labels.entries()) {
    const row = outputs.subarray(point * classes, (point + 1) * classes)
    const highest = Math.max(...row)
    const powers = row.map(output => Math.exp(output - highest))
    const sum = powers.reduce((total, power) => total + power, 0)
    gradient.set(
      powers.map((power, name) => power / sum - (name === label ? 1 : 0)),
      point * classes,
    )
  }
  return gradient
}

/** The root mean square of all values. @param {Float64Array} values */
function size(values) {
  let squares = 0
  for (const value of values) squares += value * value
  return Math.sqrt(squares / values.length)
}
