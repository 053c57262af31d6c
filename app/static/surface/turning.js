// The camera goes around by itself until the reader takes it. It stands still under a pointer, and for readers who asked
// for stillness it does not begin.
const PACE = 0.12 // radians a second: around in less than a minute
const LONGEST = 250 // milliseconds that count between two pictures
const BETWEEN = 33 // milliseconds from a picture to the next, at least
const SHARE = 2 // times as long as it took to paint, at least, nothing is painted

export class Turning {
  // `next` asks for another picture; `changed` hears when the turning begins and ends.
  /** @param {() => void} next @param {(on: boolean) => void} changed */
  constructor(next, changed) {
    this.next = next
    this.changed = changed
    this.held = false
    this.set(!matchMedia('(prefers-reduced-motion: reduce)').matches)
  }

  /** @param {boolean} on */
  set(on) {
    this.on = on
    this.changed(on)
    this.next()
  }

  /** @param {boolean} held */
  hold(held) {
    this.held = held
    if (!held) this.next()
  }

  get moves() {
    return this.on && !this.held
  }

  // By how much the camera has turned in so many milliseconds.
  /** @param {number} milliseconds */
  by(milliseconds) {
    return this.moves ? (PACE * Math.min(LONGEST, milliseconds)) / 1000 : 0
  }

  // Plan the next picture, after one that took so many milliseconds.
  /** @param {number} cost */
  plan(cost) {
    clearTimeout(this.planned)
    this.planned = setTimeout(this.next, Math.max(BETWEEN, SHARE * cost))
  }

  end() {
    clearTimeout(this.planned)
  }
}
