// The sine and the exponential of single precision as NumPy computes them on processors with fused products (its
// `loops_trigonometric` and `loops_exponent_log`): the same steps, so that the same last bits come out.
const {fround} = Math

// Rounds once, as a fused product does: a double holds the product of two singles exactly.
const fused = (/** @type {number} */ one, /** @type {number} */ other, /** @type {number} */ more) =>
  fround(one * other + more)

const MAGIC = 1.5 * 2 ** 23 // a single that has no room for fractions: halves are rounded to even numbers
const rounded = (/** @type {number} */ value) => fround(fround(value + MAGIC) - MAGIC)

const TWO_OVER_PI = 0.6366197466850281
const HALF_PI_1 = 1.570796012878418,
  HALF_PI_2 = 3.1391647326017846e-7,
  HALF_PI_3 = 5.390302529957765e-15

/** For numbers up to 10⁵. @param {number} x */
export function sine(x) {
  if (!Number.isFinite(x)) return Number.NaN
  const quadrant = rounded(fround(x * TWO_OVER_PI))
  const rest = fused(quadrant, -HALF_PI_3, fused(quadrant, -HALF_PI_2, fused(quadrant, -HALF_PI_1, x)))
  const square = fround(rest * rest)
  const size = quadrant & 1 ? cosineNear(square) : sineNear(rest, square)
  return quadrant & 2 ? -size : size
}

/** @param {number} x @param {number} square */
function sineNear(x, square) {
  let sum = fused(2.8404097065504175e-6, square, -0.00019856491417158395)
  sum = fused(sum, square, 0.008333397097885609)
  sum = fused(sum, square, -0.1666666716337204)
  return fused(fround(sum * square), x, x)
}

/** @param {number} square */
function cosineNear(square) {
  let sum = fused(2.4372266125283204e-5, square, -0.001388652017340064)
  sum = fused(sum, square, 0.04166661947965622)
  sum = fused(sum, square, -0.5)
  return fused(sum, square, 1)
}

const PER_OCTAVE = fround(Math.LOG2E)
const OCTAVE_1 = 0.693145751953125,
  OCTAVE_2 = 1.428606765330187e-6
const LARGEST = 88.72283935546875,
  SMALLEST = -103.97208404541016
const P0 = 1,
  P1 = 0.7257664799690247,
  P2 = 0.24736154079437256,
  P3 = 0.051145121455192566,
  P4 = 0.006757896859198809,
  P5 = 0.000508276280015707
const Q1 = -0.27423354983329773,
  Q2 = 0.021595094352960587

/** @param {number} x */
export function exponential(x) {
  if (!(x < LARGEST)) return Number.isNaN(x) ? x : Number.POSITIVE_INFINITY
  if (x <= SMALLEST) return 0
  const octaves = rounded(fround(x * PER_OCTAVE))
  const rest = fused(octaves, -OCTAVE_2, fused(octaves, -OCTAVE_1, x))
  let above = fused(P5, rest, P4)
  above = fused(above, rest, P3)
  above = fused(above, rest, P2)
  above = fused(above, rest, P1)
  above = fused(above, rest, P0)
  const below = fused(fused(Q2, rest, Q1), rest, 1)
  return fround(fround(above / below) * 2 ** octaves)
}
