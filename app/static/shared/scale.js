// Scales of a drawn plot: value → share of the axis and back, and ticks.
import {number, tick} from './numbers.js'

export class Scale {
  /** @param {number} low @param {number} high @param {boolean} logarithmic */
  constructor(low, high, logarithmic) {
    this.low = low
    this.high = high
    this.logarithmic = logarithmic
  }

  /** @param {number} value */
  inner(value) {
    return this.logarithmic ? Math.log(Math.max(value, Number.MIN_VALUE)) : value
  }

  /** @param {number} value */
  share(value) {
    const [low, high] = [this.inner(this.low), this.inner(this.high)]
    return (this.inner(value) - low) / (high - low)
  }

  /** @param {number} share */
  value(share) {
    const [low, high] = [this.inner(this.low), this.inner(this.high)]
    const inner = low + Math.min(Math.max(share, 0), 1) * (high - low)
    return Number((this.logarithmic ? Math.exp(inner) : inner).toPrecision(6))
  }

  // A value for assistive technology, which does not read exponents: on a logarithmic scale its power of ten.
  /** @param {number} value */
  ariaValue(value) {
    return Number((this.logarithmic ? Math.log10(Math.max(value, Number.MIN_VALUE)) : value).toFixed(4))
  }

  // The same scale, extended to include these values.
  /** @param {number[]} values */
  holding(values) {
    const possible = values.filter(value => Number.isFinite(value) && (!this.logarithmic || value > 0))
    return new Scale(Math.min(this.low, ...possible), Math.max(this.high, ...possible), this.logarithmic)
  }

  ticks() {
    if (this.logarithmic) {
      const first = Math.ceil(Math.log10(this.low) - 1e-9),
        last = Math.floor(Math.log10(this.high) + 1e-9)
      const every = Math.max(1, Math.ceil((last - first) / 6))
      // The largest has a label, whichever others are left out.
      return range(last - every * Math.floor((last - first) / every), last, every).map(power => Number(`1e${power}`))
    }
    const rough = (this.high - this.low) / 5
    const power = 10 ** Math.floor(Math.log10(rough))
    const step = power * ([1, 2, 2.5, 5].find(factor => factor * power >= rough * 0.999) ?? 10)
    return range(Math.ceil(this.low / step - 1e-9), Math.floor(this.high / step + 1e-9), 1).map(index =>
      Number((index * step).toPrecision(10)),
    )
  }
}

/** @param {number} first @param {number} last @param {number} every @returns {number[]} */
function range(first, last, every) {
  const values = []
  for (let value = first; value <= last; value += every) values.push(value)
  return values
}

// The label of a tick, where values on the vertical axis have a form.
/** @param {number} value @param {string} form @param {boolean} logarithmic */
export function tickText(value, form, logarithmic) {
  return form === '%' ? `${number(100 * value, 6)}%` : tick(value, logarithmic)
}
