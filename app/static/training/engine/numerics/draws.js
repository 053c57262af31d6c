// NumPy's `default_rng`, number for number: SeedSequence, PCG64 (XSL-RR 128/64; O'Neill 2014, section 6.3.3), the
// ziggurat for normal numbers (Marsaglia & Tsang 2000), uniform numbers and permutations.
//
// 64-bit arithmetic is BigInt that is cut to 64 bits after every operation: engines compile that to plain integers.

/** @typedef {{widths: number[], limits: number[], heights: number[], tail: number, inverse: number}} Ziggurat NumPy's tables; `tail` is where the last layer begins */

const word = (/** @type {bigint} */ value) => BigInt.asUintN(64, value)
const LOW = 0xffffffffn
const MULTIPLIER_HIGH = 2549297995355413924n,
  MULTIPLIER_LOW = 4865540595714422341n
const POOL = 4 // words of 32 bits

const imul = Math.imul
const shifted = (/** @type {number} */ value) => (value ^ (value >>> 16)) >>> 0

/** What SeedSequence makes of whole numbers below 2³²: eight words of 32 bits. @param {number[]} entropy */
export function seedWords(entropy) {
  let constant = 0x43b0d7e5
  const mixed = (/** @type {number} */ value) => {
    const before = value ^ constant
    constant = imul(constant, 0x931e8875)
    return shifted(imul(before, constant))
  }
  const joined = (/** @type {number} */ one, /** @type {number} */ other) =>
    shifted(imul(0xca01f9dd, one) - imul(0x4973f715, other))
  const pool = Array.from({length: POOL}, (_, place) => mixed(entropy[place] ?? 0))
  for (let from = 0; from < POOL; from++)
    for (let to = 0; to < POOL; to++) if (from !== to) pool[to] = joined(pool[to], mixed(pool[from]))
  for (const value of entropy.slice(POOL)) for (let to = 0; to < POOL; to++) pool[to] = joined(pool[to], mixed(value))
  let output = 0x8b51f9dd
  return Array.from({length: 2 * POOL}, (_, place) => {
    const before = pool[place % POOL] ^ output
    output = imul(output, 0x58f38ded)
    return shifted(imul(before, output))
  })
}

export class Generator {
  /** @param {number[]} entropy whole numbers below 2³² @param {Ziggurat} ziggurat */
  constructor(entropy, ziggurat) {
    this.ziggurat = ziggurat
    /** @type {number | null} the half of a number that a draw of 32 bits left over */
    this.half = null
    const words = seedWords(entropy)
    const [startHigh, startLow, streamHigh, streamLow] = [0, 2, 4, 6].map(
      place => BigInt(words[place]) | (BigInt(words[place + 1]) << 32n),
    )
    this.addHigh = word((streamHigh << 1n) | (streamLow >> 63n))
    this.addLow = word((streamLow << 1n) | 1n)
    this.high = this.low = 0n
    this.step()
    const low = word(this.low + startLow)
    this.high = word(this.high + startHigh + (low < startLow ? 1n : 0n))
    this.low = low
    this.step()
  }

  step() {
    const {high, low} = this
    const product = word(low * MULTIPLIER_LOW)
    const sum = word(product + this.addLow)
    this.high = word(
      upperHalf(low, MULTIPLIER_LOW) +
        word(high * MULTIPLIER_LOW) +
        word(low * MULTIPLIER_HIGH) +
        this.addHigh +
        (sum < product ? 1n : 0n),
    )
    this.low = sum
  }

  /** The next 64 bits. */
  next() {
    this.step()
    const value = this.high ^ this.low,
      turn = this.high >> 58n
    return word((value >> turn) | word(value << ((64n - turn) & 63n)))
  }

  /** The next 32 bits. */
  nextHalf() {
    if (this.half !== null) {
      const {half} = this
      this.half = null
      return half
    }
    const value = this.next()
    this.half = Number(value >> 32n)
    return Number(value & LOW)
  }

  /** A number from 0 to below 1. */
  nextShare() {
    return Number(this.next() >> 11n) * 2 ** -53
  }

  nextNormal() {
    const {widths, limits, heights, tail, inverse} = this.ziggurat
    for (;;) {
      const value = this.next()
      const layer = Number(value & 0xffn)
      const rest = Number((value >> 9n) & 0xfffffffffffffn)
      const size = rest * widths[layer]
      const x = (value >> 8n) & 1n ? -size : size
      if (rest < limits[layer]) return x
      if (layer === 0) {
        for (;;) {
          const beyond = -inverse * Math.log1p(-this.nextShare())
          const height = -Math.log1p(-this.nextShare())
          if (height + height > beyond * beyond) return Math.floor(rest / 256) % 2 ? -(tail + beyond) : tail + beyond
        }
      }
      const share = this.nextShare()
      if ((heights[layer - 1] - heights[layer]) * share + heights[layer] < Math.exp(-0.5 * x * x)) return x
    }
  }

  /** Normal numbers with mean 0. @param {number} deviation @param {number} count */
  normal(deviation, count) {
    return Float64Array.from({length: count}, () => deviation * this.nextNormal())
  }

  /** @param {number} low @param {number} high @param {number} count */
  uniform(low, high, count) {
    return Float64Array.from({length: count}, () => low + (high - low) * this.nextShare())
  }

  /** Whole numbers from 0 to below `bound`, which is from 2 to 2³² (Lemire 2019). @param {number} bound @param {number} count */
  below(bound, count) {
    const wide = BigInt(bound)
    const least = (2 ** 32 - bound) % bound // what is below is drawn again, so that all numbers are equally likely
    return Array.from({length: count}, () => {
      for (;;) {
        const product = BigInt(this.nextHalf()) * wide
        if (Number(product & LOW) >= least) return Number(product >> 32n)
      }
    })
  }

  /** The numbers from 0 to below `count` in a random order. @param {number} count */
  permutation(count) {
    const order = Int32Array.from({length: count}, (_, place) => place)
    for (let last = count - 1; last > 0; last--) {
      const mask = 2 ** (32 - Math.clz32(last)) - 1
      let other
      do other = (this.nextHalf() & mask) >>> 0
      while (other > last)
      ;[order[last], order[other]] = [order[other], order[last]]
    }
    return order
  }
}

/** The upper 64 bits of a product of 128. @param {bigint} one @param {bigint} other */
function upperHalf(one, other) {
  const [low, high, otherLow, otherHigh] = [one & LOW, one >> 32n, other & LOW, other >> 32n]
  const lowHigh = word(low * otherHigh),
    highLow = word(high * otherLow)
  const middle = word((word(low * otherLow) >> 32n) + (lowHigh & LOW) + (highLow & LOW))
  return word(word(high * otherHigh) + (lowHigh >> 32n) + (highLow >> 32n) + (middle >> 32n))
}
