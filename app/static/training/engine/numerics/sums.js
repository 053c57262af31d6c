// Sums in NumPy's order, so that the same bits come out.

const FEW = 8, // numbers that NumPy adds one by one
  BLOCK = 128 // numbers that it adds in eight columns

/** @typedef {Float64Array | Float32Array} Floats */
/** @typedef {(one: number, other: number) => number} Addition */

/** @type {Addition} */
const double = (one, other) => one + other
/** @type {Addition} */
const single = (one, other) => Math.fround(one + other)

/** The sum of numbers in the order in which NumPy adds those of a contiguous array, in their precision. @param {Floats} numbers */
export const sum = numbers => added(numbers, numbers instanceof Float32Array ? single : double)

/** @param {Floats} numbers @param {Addition} add @returns {number} */
function added(numbers, add) {
  const {length} = numbers
  if (length < FEW) return Array.from(numbers).reduce((total, number) => add(total, number), -0)
  if (length > BLOCK) {
    const middle = Math.floor(length / 2 / FEW) * FEW
    return add(added(numbers.subarray(0, middle), add), added(numbers.subarray(middle), add))
  }
  const columns = Array.from(numbers.subarray(0, FEW))
  const whole = length - (length % FEW)
  for (let at = FEW; at < whole; at++) columns[at % FEW] = add(columns[at % FEW], numbers[at])
  const [a, b, c, d, e, f, g, h] = columns
  let total = add(add(add(a, b), add(c, d)), add(add(e, f), add(g, h)))
  for (let at = whole; at < length; at++) total = add(total, numbers[at])
  return total
}
