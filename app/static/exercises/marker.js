// A predicted number, placed on an axis of the figure that asks for it: with mouse, touch, pen or keys. The number field of
// the question says the same, and either moves the other.
import {drag} from '../shared/drag.js'
import {number, withUnit} from '../shared/numbers.js'
import {placeOver} from './drawing.js'

/** @typedef {import('./drawing.js').PlotFrame} PlotFrame */

const SVG = 'http://www.w3.org/2000/svg'
const REACH = 22 // pixels around the handle that belong to it
const BESIDE = 15 // pixels from the middle of the handle to its words
const OVER = 34 // the same to words above or below it
const WORDS = {width: 100, height: 22} // pixels of the words at a line that stays
const TOP = 0.985 // their height in the plot, or their distance from its left
const COARSE = 100 // steps of an answer that need not be a whole number

/** @type {(name: string, attributes?: Record<string, string | number>, text?: string) => SVGElement} */
function make(name, attributes = {}, text = '') {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  element.textContent = text
  return element
}

export class Marker {
  /** @param {HTMLElement} section @param {number | null} truth */
  constructor(section, truth) {
    this.host = section.querySelector('.drawing-board')
    this.field = section.querySelector('.number-field input')
    this.truth = truth
    this.low = Number(this.field.min)
    this.high = Number(this.field.max)
    this.first = this.low + (this.high - this.low) / 4 // where it waits: the middle is often an answer
    this.step = Number(this.field.step) || (this.high - this.low) / COARSE
    this.unit = section.querySelector('.number-field').dataset.unit ?? ''
    this.shown = false
    this.frame = /** @type {PlotFrame | null} */ (null)
    this.svg = make('svg', {role: 'group'})
    this.line = make('line', {class: 'guess-line'})
    this.words = make('text', {class: 'guess-words', 'aria-hidden': 'true'})
    this.handle = make('g', {class: 'handle'})
    this.handle.append(make('circle', {class: 'reach', r: REACH}), make('circle', {class: 'dot', r: 9}))
    this.handle.tabIndex = 0
    this.handle.role = 'slider'
    this.handle.ariaValueMin = String(this.low)
    this.handle.ariaValueMax = String(this.high)
    this.svg.append(this.line, this.words, this.handle)
    this.host.append(this.svg)
    this.field.addEventListener('input', () => this.render())
    this.handle.addEventListener('keydown', event => this.key(event))
    this.svg.addEventListener('pointerdown', event => this.grab(event))
  }

  // The answer so far; null while there is none that is possible.
  get value() {
    const {valueAsNumber: value, validity} = this.field
    return Number.isFinite(value) && validity.valid ? value : null
  }

  /** @param {number} value */
  put(value) {
    this.field.value = String(nearest(value, this.low, this.high, this.step))
    this.field.dispatchEvent(new Event('input', {bubbles: true}))
  }

  // Moves the marker onto a plot of a figure, or follows that plot.
  /** @param {HTMLElement} stage @param {PlotFrame} frame */
  place(stage, frame) {
    this.frame = frame
    placeOver(this.host, stage, frame)
    this.host.dataset.marker = frame.axis
    this.handle.setAttribute('aria-orientation', frame.axis === 'x' ? 'horizontal' : 'vertical')
    this.svg.setAttribute('width', String(frame.width))
    this.svg.setAttribute('height', String(frame.height))
    this.svg.ariaLabel = `Your answer on the axis “${frame.name}”`
    this.handle.ariaLabel = `Your answer: ${frame.name}`
    this.render()
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const {low, high, step} = this
    const now = this.value ?? this.first
    const far = Math.max(step, (high - low) / 10)
    /** @type {Record<string, number>} */
    const moves = {
      ArrowRight: now + step,
      ArrowUp: now + step,
      ArrowLeft: now - step,
      ArrowDown: now - step,
      PageUp: now + far,
      PageDown: now - far,
      Home: low,
      End: high,
    }
    if (this.isFixed || !(event.key in moves)) return
    event.preventDefault()
    this.put(moves[event.key])
  }

  /** @param {PointerEvent} down */
  grab(down) {
    if (this.isFixed || down.button || !down.isPrimary || !this.frame) return
    down.preventDefault()
    this.handle.focus({preventScroll: true})
    const {axis, across, value} = this.frame
    const move = (/** @type {PointerEvent} */ {clientX, clientY}) => {
      const {left, top} = this.svg.getBoundingClientRect()
      this.put(axis === 'x' ? across(clientX - left) : value(clientY - top))
    }
    drag(this.svg, down, move, () => {})
    move(down)
  }

  // Whether the answer can no longer be changed: it was given, or waits for a class.
  get isFixed() {
    return this.shown || this.field.matches(':disabled') || Boolean(this.field.closest('[inert]'))
  }

  amount(/** @type {number} */ value) {
    return withUnit(value, this.unit)
  }

  render() {
    if (!this.frame) return
    const {value, frame} = this
    const {left, right, top, bottom} = frame.inner
    const isUpright = frame.axis === 'x'
    const within = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high) =>
      Math.min(Math.max(at, low), high)
    const x = isUpright ? within(frame.x(value ?? this.first), left, right) : (left + right) / 2
    const y = isUpright ? (top + bottom) / 2 : within(frame.y(value ?? this.first), top, bottom)
    const ends = isUpright ? {x1: x, x2: x, y1: top, y2: bottom} : {x1: left, x2: right, y1: y, y2: y}
    for (const [name, place] of Object.entries(ends)) this.line.setAttribute(name, String(place))
    this.handle.classList.toggle('undrawn', value === null)
    this.line.classList.toggle('undrawn', value === null)
    this.handle.setAttribute('transform', `translate(${x} ${y})`)
    this.handle.ariaValueNow = String(value ?? this.first)
    this.handle.ariaValueText = value === null ? 'not placed yet' : this.amount(value)
    this.words.textContent = value === null ? 'Drag me' : this.amount(value)
    // Beside the handle, on the right if there is room, or above it: elsewhere the line would cross them.
    const width = /** @type {SVGTextElement} */ (this.words).getComputedTextLength()
    const beside = x + BESIDE + width > frame.width ? x - BESIDE - width : x + BESIDE
    const above = y - OVER > top ? y - OVER : y + OVER
    this.words.setAttribute('x', String(isUpright ? beside : x - width / 2))
    this.words.setAttribute('y', String(isUpright ? y : above))
    if (this.shown) this.keep()
  }

  // Shows the true number beside the guess, if there is one: both are in the figure from now on.
  reveal() {
    this.shown = true
    this.render()
  }

  // Whether words fit between a horizontal line and the edge of the plot above or below it.
  /** @param {number} at @param {boolean} isOver */
  fits(at, isOver) {
    const {frame} = this
    if (!frame) return false
    const {top, bottom} = frame.inner
    return WORDS.height < (isOver ? frame.y(at) - top : bottom - frame.y(at))
  }

  keep() {
    const {value, truth, frame} = this
    if (!frame) return
    const middle = (this.low + this.high) / 2
    const said = (/** @type {string} */ who, /** @type {number} */ at) =>
      `${who}: ${number(at)}${/^\w/.test(this.unit) ? '' : this.unit}`
    if (frame.axis === 'y') {
      const mark = (
        /** @type {string} */ who,
        /** @type {number | null} */ at,
        /** @type {number} */ other,
        /** @type {number} */ x,
      ) => {
        if (at === null) return []
        const isOver = at > other ? this.fits(at, true) : !this.fits(at, false)
        return [{x, y: at, text: said(who, at), ...over(isOver)}]
      }
      return frame.mark({
        guess: mark('you', value, truth ?? middle, 1 - TOP),
        truth: mark('answer', truth, value ?? middle, TOP),
      })
    }
    const {top, bottom} = frame.inner
    const apart = value === null || truth === null ? Infinity : Math.abs(frame.x(value) - frame.x(truth))
    const isFacing = value !== null && truth !== null && value < middle !== truth < middle
    const lower = apart < (isFacing ? 2 : 1) * WORDS.width ? WORDS.height / (bottom - top) : 0
    const mark = (/** @type {string} */ who, /** @type {number | null} */ at, /** @type {number} */ y) =>
      at === null ? [] : [{x: at, y, text: said(who, at), ...side(at < middle)}]
    frame.mark({guess: mark('you', value, TOP), truth: mark('answer', truth, TOP - lower)})
  }
}

// Words at an upright line are on the side that has more room; those at a horizontal one face away from the other line.
const side = (/** @type {boolean} */ isLeft) => (isLeft ? {side: 'left', offset: 6} : {side: 'right', offset: -6})
const over = (/** @type {boolean} */ isOver) => (isOver ? {side: 'bottom', offset: -4} : {side: 'top', offset: 4})

// The possible answer nearest to a value.
/** @param {number} value @param {number} low @param {number} high @param {number} step */
export function nearest(value, low, high, step) {
  const steps = Math.round((Math.min(Math.max(value, low), high) - low) / step)
  return Number(Math.min(low + steps * step, high).toPrecision(12))
}
