// Sums in NumPy's order, so that the same bits come out.
const FEW = 8, // numbers that NumPy adds one by one
  BLOCK = 128 // numbers that it adds in eight columns

/** The sum of numbers in the order in which NumPy adds those of a contiguous array. @param {Float64Array} numbers @returns {number} */
export function sum(numbers) {
  const {length} = numbers
  if (length < FEW) return numbers.reduce((total, number) => total + number, -0)
  if (length > BLOCK) {
    const middle = Math.floor(length / 2 / FEW) * FEW
    return sum(numbers.subarray(0, middle)) + sum(numbers.subarray(middle))
  }
  const columns = Array.from(numbers.subarray(0, FEW))
  const whole = length - (length % FEW)
  for (let at = FEW; at < whole; at++) columns[at % FEW] += numbers[at]
  const [a, b, c, d, e, f, g, h] = columns
  let total = a + b + (c + d) + (e + f + (g + h))
  for (let at = whole; at < length; at++) total += numbers[at]
  return total
}
