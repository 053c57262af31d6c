// Turns the camera automatically until the reader takes over. It pauses under a pointer, and does not start for readers
// who prefer reduced motion.
const PACE = 0.12 // radians per second: a full turn takes less than a minute
const LONGEST = 250 // maximum milliseconds counted between two pictures
const BETWEEN = 33 // minimum milliseconds from one picture to the next
const SHARE = 2 // minimum pause after painting, in multiples of the time that painting took

export class Turning {
  // `next` requests another picture; `changed` is called when turning starts and stops.
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

  // The angle the camera turns in this many milliseconds.
  /** @param {number} milliseconds */
  by(milliseconds) {
    return this.moves ? (PACE * Math.min(LONGEST, milliseconds)) / 1000 : 0
  }

  // Plans the next picture, after one that took this many milliseconds.
  /** @param {number} cost */
  plan(cost) {
    clearTimeout(this.planned)
    this.planned = setTimeout(this.next, Math.max(BETWEEN, SHARE * cost))
  }

  end() {
    clearTimeout(this.planned)
  }
}
