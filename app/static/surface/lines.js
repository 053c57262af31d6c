// Lines and dots as one table of numbers, used by both painters: a dot is a line that ends where it starts.
export const STRIDE = 12 // from x y z, to x y z, red green blue alpha, width in pixels, lift toward the eye

/** @typedef {{alpha?: number, lift?: number}} Look */
/** @typedef {import('./camera.js').Vector} Vector */
export class Lines {
  constructor() {
    /** @type {number[]} */
    this.numbers = []
  }

  /** @param {Iterable<number>} from @param {Iterable<number>} to @param {number[]} color @param {number} width @param {Look} [look] @returns {this} */
  add(from, to, color, width, {alpha = 1, lift = 0} = {}) {
    if ([...from, ...to].every(Number.isFinite)) this.numbers.push(...from, ...to, ...color, alpha, width, lift)
    return this
  }

  /** @param {Vector} at @param {number[]} color @param {number} width @param {Look} [look] */
  dot(at, color, width, look) {
    return this.add(at, at, color, width, look)
  }

  // A dashed line; the length of a dash is measured in the box.
  /** @param {Vector} from @param {Vector} to @param {number[]} color @param {number} width @param {Look} [look] @param {number} [dash] */
  dashed(from, to, color, width, look, dash = 0.035) {
    const way = to.map((value, axis) => value - from[axis]),
      pieces = Math.max(1, Math.round(Math.hypot(...way) / dash / 2))
    const at = (/** @type {number} */ share) => from.map((value, axis) => value + share * way[axis])
    for (let piece = 0; piece < pieces; piece++)
      this.add(at(piece / pieces), at((piece + 0.5) / pieces), color, width, look)
    return this
  }

  get table() {
    return new Float32Array(this.numbers)
  }
}
