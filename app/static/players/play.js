// Plays figures with several moments: marks that appear and disappear, dots that travel. Python lays out all moments at
// once (app/pictures/base/timed.py), so that nothing here waits for the server, and nothing is sent to it until a
// reader stops at a moment to stay there. The control and the sentence of the figure follow what is seen.
import {PlayButton} from './play-button.js'

const FIRST = 700,
  HOLD = 1800 // milliseconds of the moment before anything moves, and of the end
const ARRIVES = 0.8 // share of a moment after which travelers have arrived
const SEEN = 0.75 // visible share of the figure from which on it plays by itself
const TOUCHES = ['pointerdown', 'keydown']
const MOVED = ['alpha', 'x', 'y'] // columns that change as it plays

/** @param {number} share */
const ease = share => share * share * (3 - 2 * share)

// All such figures of a document. `tell(parameter, value)` sets a control; `follow(parameter, value)` only shows a value
// in it and the sentence that belongs to it, until it is called with null. A player must be removed with its figure.
/** @param {BokehDocument} document @param {(parameter: string, value: number) => void} tell @param {(parameter: string, value: number | null) => void} follow */
export function play(document, tell, follow) {
  return [...document._all_models.values()].flatMap(model => {
    const match = model.tags?.find(tag => tag?.play)
    return match ? [new Player(model, match.play, tell, follow)] : []
  })
}

/**
 * @typedef {object} Tag what Python says of a figure that can be played (app/pictures/base/timed.py)
 * @property {string} parameter
 * @property {number} last
 * @property {BokehSource} now
 * @property {BokehSource[]} timed
 * @property {BokehSource[]} arriving
 * @property {BokehSource[]} travelers
 * @property {string} words
 * @property {number} beat
 * @property {boolean} again whether it plays again when the picture has changed
 */

class Player {
  /** @param {BokehModel} model @param {Tag} tag @param {(parameter: string, value: number) => void} tell @param {(parameter: string, value: number | null) => void} follow */
  constructor(model, {parameter, last, now, timed, arriving, travelers, words, beat, again}, tell, follow) {
    this.model = model
    this.parameter = parameter
    this.end = last
    this.beat = beat
    this.again = again
    this.visible = false
    this.now = now
    this.timed = timed
    this.arriving = arriving
    this.travelers = travelers
    this.tell = tell
    this.follow = (/** @type {number | null} */ moment) => parameter && follow(parameter, moment)
    this.still = matchMedia('(prefers-reduced-motion: reduce)')
    /** @type {number | null} */
    this.moment = null
    this.button = new PlayButton(model, words, () => (this.moment === null ? this.start() : this.stay()), parameter)
    // Playing stops, or begins again, when the picture changes, and stops when the reader interacts with anything else.
    // A session that opens meanwhile sends the same picture again, which does not count as a change.
    this.changed = () => {
      if (this.moment === null && !this.again) return
      if (this.fingerprint() === this.played) return
      this.stop()
      if (!this.again) return
      this.played = undefined
      this.begin()
    }
    this.signals = [now, ...timed, ...arriving, ...travelers].map(source => source.properties.data.change)
    for (const signal of this.signals) signal.connect(this.changed)
    this.touched = (/** @type {Event} */ event) => {
      if (!this.button.pressedBy(event)) this.stop()
    }
    this.element = /** @type {BokehView} */ (Bokeh.index.find_one_by_id(model.id)).el
    for (const kind of TOUCHES) this.element.addEventListener(kind, this.touched)
    this.sized = new ResizeObserver(() => this.button.attach())
    this.watched = new IntersectionObserver(([{isIntersecting}]) => this.watch(isIntersecting), {threshold: SEEN})
    this.button.attach()
    for (const observer of [this.sized, this.watched]) observer.observe(this.element)
  }

  remove() {
    this.stop()
    for (const signal of this.signals) signal.disconnect(this.changed)
    for (const kind of TOUCHES) this.element.removeEventListener(kind, this.touched)
    for (const observer of [this.sized, this.watched]) observer.disconnect()
    this.button.remove()
  }

  // Plays by itself once (with `again`, once for each picture), for readers who accept motion, and never where it is not visible.
  /** @param {boolean} visible */
  watch(visible) {
    this.visible = visible
    if (!visible) this.stop()
    else if (this.played === undefined) this.begin()
  }

  begin() {
    if (this.visible && !this.still.matches) this.start()
  }

  get last() {
    return this.now.get_column('last')?.[0] ?? this.end
  }

  say() {
    this.button.say(this.moment !== null)
  }

  fingerprint() {
    return [this.now, ...this.timed, ...this.arriving, ...this.travelers].map(fixed).join()
  }

  start() {
    cancelAnimationFrame(this.planned)
    this.played = this.fingerprint()
    this.moment = 0
    this.since = null
    this.follow(0)
    this.say()
    this.plan()
  }

  plan() {
    this.planned = requestAnimationFrame(now => this.advance(now))
  }

  /** @param {number} now */
  advance(now) {
    this.since ??= now
    const moment = /** @type {number} */ (this.moment)
    const length = this.moment ? this.beat : FIRST
    const share = Math.min(1, (now - this.since) / length)
    this.show(moment, share)
    if (now - this.since > length + (this.moment === this.last ? HOLD : 0)) {
      if (this.moment === this.last) return this.stop()
      this.moment = moment + 1
      this.since = now
      this.follow(this.moment)
    }
    this.plan()
  }

  // Stay at this moment: set the control, too. A figure without one goes back to showing everything.
  stay() {
    if (!this.parameter) return this.stop()
    const moment = /** @type {number} */ (this.moment)
    this.halt()
    this.show(moment, 1, false)
    this.tell(this.parameter, moment)
  }

  // Return to the moment of the control.
  stop() {
    if (this.moment === null) return
    this.halt()
    this.follow(null)
    this.show(this.now.get_column('moment')[0], 1, false)
  }

  halt() {
    cancelAnimationFrame(this.planned)
    this.moment = null
    this.say()
  }

  /** @param {number} moment @param {number} share @param {boolean} [travels] */
  show(moment, share, travels = true) {
    const arrived = moment === 0 || share >= ARRIVES ? moment : moment - 1
    for (const source of this.timed) light(source, moment)
    for (const source of this.arriving) light(source, arrived)
    for (const source of this.travelers) move(source, travels ? moment : null, ease(Math.min(1, share / ARRIVES)))
  }
}

const fixed = (/** @type {BokehSource} */ source) =>
  JSON.stringify(
    source
      .columns()
      .filter(name => !MOVED.includes(name))
      .map(name => [...source.get_column(name)]),
  )

const columns = (/** @type {BokehSource} */ source, /** @type {string[]} */ ...names) =>
  names.map(name => source.get_column(name))

// The rule of `Timed.show`: marks that are not visible at a moment are faint.
/** @param {BokehSource} source @param {number} moment */
function light(source, moment) {
  const [first, until, faint, alpha] = columns(source, 'first', 'until', 'faint', 'alpha')
  const bright = source.get_column('bright')
  let changed = false
  for (let row = 0; row < alpha.length; row++) {
    const opacity = first[row] <= moment && moment <= until[row] ? (bright?.[row] ?? 1) : faint[row]
    changed ||= alpha[row] !== opacity
    alpha[row] = opacity
  }
  if (changed) source.change.emit()
}

/** @param {BokehSource} source @param {number | null} moment @param {number} share */
function move(source, moment, share) {
  const [moments, begin, end, x, y, alpha] = columns(source, 'moment', 'begin', 'end', 'x', 'y', 'alpha')
  const across = columns(source, 'x0', 'cx0', 'cx1', 'x1'),
    along = columns(source, 'y0', 'cy0', 'cy1', 'y1')
  for (let row = 0; row < alpha.length; row++) {
    const at = begin[row] + (end[row] - begin[row]) * share
    alpha[row] = moments[row] === moment && at >= 0 && at <= 1 ? 1 : 0
    x[row] = curve(
      across.map(column => column[row]),
      at,
    )
    y[row] = curve(
      along.map(column => column[row]),
      at,
    )
  }
  source.change.emit()
}

/** @param {number[]} points @param {number} at */
function curve([start, first, second, end], at) {
  const rest = 1 - at
  return rest ** 3 * start + 3 * rest ** 2 * at * first + 3 * rest * at ** 2 * second + at ** 3 * end
}
