// Converts texts from an address or a control to values of parameters: each is admitted, changed with a note, or refused.
// As in sims/contract/parameters.py; a test compares both.
import {number} from '../shared/numbers.js'

const LONGEST = 64 // characters
const DIGITS = 6

/**
 * A parameter as it is declared (app/prerender/browser_training.py): one of some options, a number in a range, which is
 * whole if it has a step, the reader's points, whose text has a form, a line of letters of an alphabet, or a list of whole numbers up to `most`.
 * @typedef {{label: string, default: string, options?: string[], stops?: boolean, low?: number, high?: number, step?: number, form?: string, alphabet?: string, most?: number, longest?: number}} Declared
 */

/**
 * The texts of the values that are used in place of these, and notes on all that were not used as they came.
 * @param {Record<string, Declared>} parameters @param {Values} values
 */
export function admitted(parameters, values) {
  const /** @type {Values} */ settings = {},
    /** @type {string[]} */ notes = []
  for (const [name, text] of Object.entries(values)) {
    const declared = Object.hasOwn(parameters, name) ? parameters[name] : null
    if (!declared) {
      notes.push(`There is no control named “${name.slice(0, LONGEST)}”.`)
      continue
    }
    const {
      value,
      complaint,
      consequence = value ? `${inWords(value)} is used` : 'it is left empty',
    } = examined(declared, text)
    settings[name] = value
    if (complaint) notes.push(`${declared.label}: ${complaint}; ${consequence}.`)
  }
  return {settings, notes}
}

/** @typedef {{value: string, complaint?: string, consequence?: string}} Examined `consequence`: unless the value is used */

/** @param {Declared} declared @param {string} text @returns {Examined} */
function examined(declared, text) {
  const value = declared.default
  if (text.length > (declared.longest ?? LONGEST))
    return {value, complaint: `a value of ${text.length} characters is too long`}
  const refused = {value, complaint: `“${text.slice(0, LONGEST)}” is not a possible value`}
  if (declared.form !== undefined) return formed(declared, text) ?? refused
  if (declared.alphabet !== undefined) return spelled(declared, text) ?? refused
  if (declared.most !== undefined) return listed(declared.most, text) ?? refused
  const wanted = parsed(text)
  if (!declared.options) return wanted === null ? refused : clamped(declared, wanted)
  const {options, stops} = declared
  if (options.includes(text)) return {value: text}
  if (wanted === null || !stops) return refused
  const nearest = options.reduce((one, other) =>
    Math.abs(Number(other) - wanted) < Math.abs(Number(one) - wanted) ? other : one,
  )
  if (Number(nearest) === wanted) return {value: nearest}
  return {value: nearest, complaint: `${number(wanted, DIGITS)} is not one of the stops`}
}

/** What a text of points begins with; null if that is not a point. @param {Declared} declared @param {string} text @returns {Examined | null} */
function formed({form, most = 0}, text) {
  const [value] = new RegExp(`^${form}`).exec(text.slice(0, most + 1)) ?? ['']
  const rest = text.slice(value.length)
  if (!rest) return {value}
  if (!value) return null
  return {value, complaint: `no points stand from “${rest.slice(0, 10)}” on`, consequence: 'this is left out'}
}

const PART = /^\s*(\d{1,4})\s*(?:[-–]\s*(\d{1,4})\s*)?$/

/** The numbers of a list from 1 to `most`; null if there are none in it. @param {number} most @param {string} text @returns {Examined | null} */
function listed(most, text) {
  const /** @type {Set<number>} */ numbers = new Set(),
    /** @type {string[]} */ left = []
  for (const part of text.split(',').filter(part => part.trim())) {
    const [, first, last = first] = PART.exec(part) ?? []
    const within = first === undefined ? [] : range(Math.max(Number(first), 1), Math.min(Number(last), most))
    if (first === undefined || within.length !== Number(last) - Number(first) + 1) left.push(part.trim())
    for (const number of within) numbers.add(number)
  }
  if (!left.length) return {value: written(numbers)}
  if (!numbers.size) return null
  const complaint = `“${left[0].slice(0, 10)}” is not within 1 to ${most}`
  return {value: written(numbers), complaint, consequence: 'this is left out'}
}

/** The numbers of a list that was admitted, such as "3, 7-12" (sims/contract/number_list.py). @param {string} text */
export function numbersOf(text) {
  const parts = text.split(', ').filter(part => part)
  return new Set(
    parts.flatMap(part => {
      const [first, last = first] = part.split('-').map(Number)
      return range(first, last)
    }),
  )
}

/** Numbers as a list; two neighbors are a range, too. @param {Iterable<number>} numbers */
export function written(numbers) {
  const all = new Set(numbers)
  const ends = (/** @type {number} */ beside) =>
    [...all].filter(number => !all.has(number + beside)).sort((one, other) => one - other)
  const lasts = ends(1)
  return ends(-1)
    .map((first, at) => (first === lasts[at] ? first : `${first}-${lasts[at]}`))
    .join(', ')
}

/** @param {number} first @param {number} last */
const range = (first, last) => Array.from({length: Math.max(last - first + 1, 0)}, (_, at) => first + at)

/** The known letters of a text; null if there are none but spaces. @param {Declared} declared @param {string} text @returns {Examined | null} */
function spelled({alphabet = '', most = 0}, text) {
  const letters = Array.from(text).filter(letter => alphabet.includes(letter))
  const value = letters.slice(0, most).join(''),
    strange = [...new Set(text)].filter(letter => !alphabet.includes(letter)),
    rest = letters.slice(most, most + 10).join('')
  const consequence = 'this is left out'
  if (!value.trim()) return null
  if (strange.length)
    return {value, complaint: `the model has never seen “${strange.slice(0, 10).join('')}”`, consequence}
  if (rest) return {value, complaint: `more than ${most} letters, “${rest}” and what follows`, consequence}
  return {value}
}

/** @param {Declared} declared @param {number} wanted */
function clamped({low = -Infinity, high = Infinity, step}, wanted) {
  const words = (/** @type {number} */ bound) => number(bound, DIGITS)
  if (wanted < low || wanted > high) {
    const nearest = Math.min(Math.max(wanted, low), high)
    const value = step === undefined ? texted(nearest) : String(Math.trunc(nearest))
    return {value, complaint: `${words(wanted)} is outside ${words(low)} to ${words(high)}`}
  }
  if (step === undefined) return {value: texted(wanted)}
  // Steps count from the lower bound.
  const nearest = Math.min(low + step * Math.floor((wanted - low) / step + 0.5), high)
  if (nearest === wanted) return {value: String(nearest)}
  const kind = step === 1 ? 'a whole number' : `${words(low)} plus a multiple of ${words(step)}`
  return {value: String(nearest), complaint: `${words(wanted)} is not ${kind}`}
}

/** A number as an address has it, with six digits. @param {number} value */
export function texted(value) {
  const [digits, power] = value.toExponential(DIGITS - 1).split('e')
  const exponent = Number(power)
  if (exponent >= -4 && exponent < DIGITS)
    return Object.is(value, -0) ? '-0' : String(Number(value.toPrecision(DIGITS)))
  return `${Number(digits)}e${power[0]}${power.slice(1).padStart(2, '0')}`
}

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i

/** A finite number, or null. @param {string} text */
function parsed(text) {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : null
}

/** @param {string} value */
const inWords = value => {
  const wanted = parsed(value)
  return wanted === null ? value : number(wanted, DIGITS)
}
