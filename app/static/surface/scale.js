// The vertical axis: losses → heights in the box, and ticks at round numbers.
import {number, powerOfTen, tick} from '../shared/numbers.js'
import {FOOT, TOP} from './camera.js'

const TICKS = 5
const LARGE = 5 // numbers are written as powers of ten from this power on

export class Scale {
  /** @param {number} low @param {number} high @param {boolean} logarithmic */
  constructor(low, high, logarithmic) {
    this.low = low
    this.high = high
    this.logarithmic = logarithmic
    /** @type {(value: number) => number} */
    this.bent = logarithmic ? Math.log10 : value => value
    this.powers = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)]
  }

  // Share of the axis, 0 to 1; NaN for values outside.
  /** @param {number} value */
  share(value) {
    const from = this.bent(this.low),
      share = (this.bent(value) - from) / (this.bent(this.high) - from)
    return share >= -1e-9 && share <= 1 + 1e-9 ? share : NaN
  }

  /** @param {number} value */
  z(value) {
    return FOOT + (TOP - FOOT) * this.share(value)
  }

  ticks() {
    const [first, last] = this.powers,
      count = last - first + 1
    if (!this.logarithmic || this.high / this.low < 3) return linearTicks(this.low, this.high)
    if (count > 2) {
      const every = Math.ceil((count - 1) / TICKS)
      return Array.from({length: Math.floor((count - 1) / every) + 1}, (_, at) => 10 ** (first + at * every))
    }
    const between = [first - 1, first, first + 1, last].flatMap(power => [1, 2, 5].map(factor => factor * 10 ** power))
    return [...new Set(between)]
      .filter(value => value >= this.low && value <= this.high)
      .sort((one, other) => one - other)
  }

  // Heights of contour lines: evenly spaced on the axis.
  /** @param {number} count */
  levels(count) {
    return Array.from({length: count}, (_, at) => FOOT + ((TOP - FOOT) * (at + 0.5)) / count)
  }

  // Large round numbers as powers of ten, which need less room than their zeros.
  /** @param {number} value */
  text(value) {
    const power = Math.floor(Math.log10(Math.abs(value)) + 1e-9)
    if (this.logarithmic || value === 0 || power < LARGE) return tick(value, this.logarithmic)
    return `${number(value / 10 ** power)} × ${powerOfTen(power)}`
  }
}

/** @param {number} low @param {number} high @param {number} [count] */
export function linearTicks(low, high, count = TICKS) {
  const rough = (high - low) / count,
    power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5].map(factor => factor * power).find(size => size >= rough * 0.999) ?? 10 * power
  const first = Math.ceil(low / step - 1e-9),
    last = Math.floor(high / step + 1e-9)
  return Array.from({length: last - first + 1}, (_, at) => (first + at) * step)
}
