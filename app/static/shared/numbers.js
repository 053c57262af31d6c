// Numbers as text, like `sims/contract/wording.py`: 2 × 10⁻⁶, a true minus sign, words for values that are not finite.
// A test compares both.
const MINUS = '−'
/** @type {Record<string, string>} */
const RAISED = {'-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹'}
const LEAST = 1e-4,
  MOST = 1e5
const EXACT = 1e12
const GROUPED_FROM = 1000
const SMALL_SHARE = 0.0995

// The number with this many significant digits, without trailing zeros; whole numbers are written in full.
/** @param {number} value @param {number} [digits] */
export function number(value, digits = 3) {
  if (!Number.isFinite(value)) return notFinite(value)
  if (Number.isInteger(value) && Math.abs(value) < EXACT) return signed(grouped(value, 0))
  const [mantissa, exponent] = exponential(value, digits - 1)
  const rounded = Number(`${mantissa}e${exponent}`)
  if (Math.abs(rounded) >= LEAST && Math.abs(rounded) < MOST)
    return signed(stripped(grouped(rounded, Math.max(digits - 1 - exponent, 0))))
  return signed(`${stripped(mantissa)} × ${powerOfTen(exponent)}`)
}

// A number of blocks, such as "1 block" or "12 blocks".
/** A number with its unit: after a space if the unit is a word. @param {number} value @param {string} unit @param {number} [digits] */
export const withUnit = (value, unit, digits = 3) => `${number(value, digits)}${/^\w/.test(unit) ? ' ' : ''}${unit}`

/** @param {number} count */
export const blocks = count => (count === 1 ? '1 block' : `${number(count)} blocks`)

// A value in one of the forms that a page may ask for: %, .2f, .2g or .2e, with the same meaning as in Python.
/** @param {number} value @param {string} [form] */
export function formatted(value, form = '') {
  if (form === '%') return percent(value)
  if (!form) return number(value, 4)
  if (!Number.isFinite(value)) return notFinite(value)
  const digits = Number(/\d+/.exec(form)?.[0]),
    kind = form.at(-1)
  if (kind === 'f') return signed(fixed(value, digits))
  if (value === 0) return '0'
  const places = kind === 'e' ? digits : Math.max(digits, 1) - 1
  const [mantissa, exponent] = exponential(value, places)
  if (kind === 'g' && exponent >= -4 && exponent <= places) return signed(stripped(fixed(value, places - exponent)))
  const rounded = kind === 'g' ? stripped(mantissa) : mantissa
  return signed(exponent ? `${rounded} × ${powerOfTen(exponent)}` : rounded)
}

// A share as a reader's percentage: one decimal below 10 %, none above.
/** @param {number} share */
export function percent(share) {
  const hundredths = 100 * share
  if (!Number.isFinite(hundredths)) return notFinite(hundredths)
  return `${signed(fixed(hundredths, Math.abs(share) < SMALL_SHARE ? 1 : 0))}%`
}

// How large something is, compared with something else.
/** @param {number} factor */
export function timesAsLarge(factor) {
  const text = number(factor, 2)
  return text === '1' ? 'just as large' : `${text} times as large`
}

/** @param {number} exponent */
export function powerOfTen(exponent) {
  return `10${[...String(exponent)].map(digit => RAISED[digit]).join('')}`
}

// The label of an axis tick: on a logarithmic axis, powers of ten far from 1 have a raised exponent.
/** @param {number} value @param {boolean} [logarithmic] */
export function tick(value, logarithmic) {
  const exponent = Math.round(Math.log10(value)),
    power = Number(`1e${exponent}`)
  const raised = logarithmic && Math.abs(exponent) > 3 && Math.abs(value / power - 1) < 1e-9
  return raised ? powerOfTen(exponent) : number(value, 6)
}

const NAMED = new Map([
  ['nan', NaN],
  ['inf', Infinity],
  ['-inf', -Infinity],
])

// A value as JSON from Python: a number, the name of a value that is not finite, or a text.
/** @param {Wired} value @returns {string} */
export function shown(value) {
  const parsed = unwired(value)
  return typeof parsed === 'number' ? number(parsed, 4) : parsed
}

// A value as JSON from Python, with the number itself in place of the name of one that is not finite.
/** @template {unknown} T @param {T} value @returns {T | number} */
export const unwired = value => NAMED.get(/** @type {any} */ (value)) ?? value

/** @param {number} value */
const notFinite = value => (Number.isNaN(value) ? 'not a number' : value > 0 ? 'infinity' : 'minus infinity')
/** @param {string} text */
const stripped = text => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
/** @param {string} text */
const signed = text => text.replace(/^-(?=[0.,]+$)/, '').replace('-', MINUS)

/** @param {number} value @param {number} places */
function grouped(value, places) {
  const [whole, fraction] = fixed(value, places).split('.')
  const integer = Math.abs(value) >= GROUPED_FROM ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole
  return fraction === undefined ? integer : `${integer}.${fraction}`
}

/** @param {number} value @param {number} places @returns {[mantissa: string, exponent: number]} */
function exponential(value, places) {
  const [mantissa, exponent] = value.toExponential(100).split('e')
  const even = toEven(mantissa, places)
  const text = even === null ? value.toExponential(places) : `${even}e${exponent}`
  return [text.split('e')[0], Number(text.split('e')[1])]
}

/** @param {number} value @param {number} places */
function fixed(value, places) {
  if (Math.abs(value) >= 1e21) return places ? `${BigInt(value)}.${'0'.repeat(places)}` : String(BigInt(value))
  return toEven(value.toFixed(100), places) ?? value.toFixed(places)
}

// JavaScript rounds ties away from zero, Python to the even digit: the rounded digits of a number's exact text. Null
// wherever both agree.
/** @param {string} exact @param {number} places @returns {string | null} */
function toEven(exact, places) {
  const end = exact.indexOf('.') + 1 + places
  const head = exact.slice(0, end).replace(/\.$/, '')
  return /^50*$/.test(exact.slice(end)) && /[02468]$/.test(head) ? head : null
}
