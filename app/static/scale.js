// Scales of a drawn plot: value → share of the axis and back, ticks, and numbers in words.
export class Scale {
  constructor(low, high, logarithmic) {
    this.low = low
    this.high = high
    this.logarithmic = logarithmic
  }

  inner(value) { return this.logarithmic ? Math.log(Math.max(value, Number.MIN_VALUE)) : value }

  share(value) {
    const [low, high] = [this.inner(this.low), this.inner(this.high)]
    return (this.inner(value) - low) / (high - low)
  }

  value(share) {
    const [low, high] = [this.inner(this.low), this.inner(this.high)]
    const inner = low + Math.min(Math.max(share, 0), 1) * (high - low)
    return Number((this.logarithmic ? Math.exp(inner) : inner).toPrecision(6))
  }

  // A value for assistive technology, which takes no exponents: on a logarithmic scale the power of ten.
  told(value) { return Number((this.logarithmic ? Math.log10(Math.max(value, Number.MIN_VALUE)) : value).toFixed(4)) }

  // The same scale, long enough for these values too.
  holding(values) {
    const possible = values.filter(each => Number.isFinite(each) && (!this.logarithmic || each > 0))
    return new Scale(Math.min(this.low, ...possible), Math.max(this.high, ...possible), this.logarithmic)
  }

  ticks() {
    if (this.logarithmic) {
      const first = Math.ceil(Math.log10(this.low) - 1e-9), last = Math.floor(Math.log10(this.high) + 1e-9)
      const every = Math.max(1, Math.ceil((last - first) / 6))
      return range(first, last, every).map(power => Number(`1e${power}`))
    }
    const rough = (this.high - this.low) / 5
    const power = 10 ** Math.floor(Math.log10(rough))
    const step = power * [1, 2, 2.5, 5, 10].find(each => each * power >= rough * 0.999)
    return range(Math.ceil(this.low / step - 1e-9), Math.floor(this.high / step + 1e-9), 1)
      .map(each => Number((each * step).toPrecision(10)))
  }
}

function range(first, last, every) {
  const found = []
  for (let each = first; each <= last; each += every) found.push(each)
  return found
}

const RAISED = {'-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹'}

function power(value, digits) {
  const [mantissa, exponent] = value.toExponential(digits).split('e')
  if (exponent === '+0') return mantissa
  const raised = [...String(Number(exponent))].map(each => RAISED[each]).join('')
  return Number(mantissa) === 1 ? `10${raised}` : `${Number(mantissa)} × 10${raised}`
}

// A tick: on a logarithmic scale far from one, a power of ten.
export function tickText(value, form, logarithmic) {
  const far = logarithmic && (value >= 1e4 || value <= 1e-3)
  return far ? power(value, 0) : written(value, form === '%' ? '%' : '.6g')
}

// A number in one of the forms that a page may ask for: %, .2f, .2g, .2e.
export function written(value, form = '') {
  const digits = Number(form.match(/\d/)?.[0] ?? 3), kind = form.at(-1)
  const size = Math.abs(value)
  let text
  if (form === '%') text = `${size < 0.0995 && size > 0 ? Number((100 * value).toFixed(1)) : (100 * value).toFixed(0)}%`
  else if (kind === 'f') text = value.toFixed(digits)
  else if (value !== 0 && (kind === 'e' || size < 1e-4 || size >= 1e5)) text = power(value, kind === 'e' ? digits : Math.max(digits - 1, 0))
  else text = String(Number(value.toPrecision(Math.max(digits, 1))))
  return text.replace(/^-/, '−')
}
