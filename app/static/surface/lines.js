// Lines and dots as one table of numbers, which both painters read: a dot is a line that ends where it begins.
export const STRIDE = 12 // from x y z, to x y z, red green blue alpha, width in pixels, lift toward the eye

export class Lines {
  constructor() {
    this.numbers = []
  }

  add(from, to, color, width, {alpha = 1, lift = 0} = {}) {
    if ([...from, ...to].every(Number.isFinite)) this.numbers.push(...from, ...to, ...color, alpha, width, lift)
    return this
  }

  dot(at, color, width, look) {
    return this.add(at, at, color, width, look)
  }

  // On and off along the way, by length in the box.
  dashed(from, to, color, width, look, dash = 0.035) {
    const way = to.map((each, axis) => each - from[axis]),
      pieces = Math.max(1, Math.round(Math.hypot(...way) / dash / 2))
    const at = share => from.map((each, axis) => each + share * way[axis])
    for (let piece = 0; piece < pieces; piece++)
      this.add(at(piece / pieces), at((piece + 0.5) / pieces), color, width, look)
    return this
  }

  get table() {
    return new Float32Array(this.numbers)
  }
}
