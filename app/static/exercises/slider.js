// A number in a sentence that can be changed: drag it, press arrow keys, or click to type. Changes are reported to
// `changed(text)`; typed text is passed on unchanged, since the server decides what is valid.
import {drag} from '../shared/drag.js'
import {number} from '../shared/numbers.js'

const PIXELS_PER_RANGE = 260
const PIXELS_PER_OPTION = 28
const CLICK = 4

export class Slider {
  /** @param {HTMLElement} element @param {(text: string) => void} changed */
  constructor(element, changed) {
    this.element = element
    this.changed = changed
    const {label, options, low, high, step, unit} = element.dataset
    /** @type {[value: string, shown: string][] | null} */
    this.options = options ? JSON.parse(options) : null
    this.at = 0 // the number, or the index of the option
    this.unit = unit ?? ''
    this.low = this.options ? 0 : Number(low)
    this.high = this.options ? this.options.length - 1 : Number(high)
    this.step = this.options ? 1 : Number(step)
    element.tabIndex = 0
    element.role = 'slider'
    element.ariaLabel = label
    element.ariaValueMin = String(this.low)
    element.ariaValueMax = String(this.high)
    this.show(element.dataset.value)
    element.addEventListener('pointerdown', event => this.grab(event))
    element.addEventListener('keydown', event => this.key(event))
  }

  get value() {
    return this.element.dataset.value
  }

  /** @param {string} text */
  show(text) {
    this.element.dataset.value = text
    this.at = this.options
      ? Math.max(
          0,
          this.options.findIndex(([value]) => value === text),
        )
      : Number(text)
    this.element.textContent = this.options ? this.options[this.at][1] : this.text(text)
    this.element.ariaValueNow = String(this.at)
    this.element.ariaValueText = `${this.element.textContent} ${this.unit}`.trim()
  }

  /** @param {string | number} value */
  text(value) {
    return number(Number(value), 6)
  }

  /** @param {string} text */
  take(text) {
    if (text === this.value) return
    this.show(text)
    this.changed(text)
  }

  /** @param {number} to */
  move(to) {
    const steps = Math.round((Math.min(Math.max(to, this.low), this.high) - this.low) / this.step)
    const at = Number(Math.min(this.low + steps * this.step, this.high).toPrecision(12))
    if (at !== this.at) this.take(this.options ? this.options[at][0] : String(at))
  }

  /** @param {PointerEvent} down */
  grab(down) {
    if (down.button || !down.isPrimary) return
    down.preventDefault()
    this.element.focus()
    const from = this.at
    const pixels = this.options ? PIXELS_PER_OPTION * this.high : PIXELS_PER_RANGE
    let dragged = false
    this.held = true
    const move = (/** @type {PointerEvent} */ event) => {
      dragged ||= Math.abs(event.clientX - down.clientX) > CLICK
      if (dragged) this.move(from + ((event.clientX - down.clientX) * (this.high - this.low)) / pixels)
    }
    const drop = (/** @type {PointerEvent} */ event) => {
      this.held = false
      if (event.type === 'pointerup' && !dragged) this.click()
    }
    drag(this.element, down, move, drop)
  }

  click() {
    if (this.options) this.move(this.at < this.high ? this.at + 1 : this.low)
    else this.type()
  }

  type() {
    const input = Object.assign(document.createElement('input'), {
      type: 'number',
      min: this.low,
      max: this.high,
      step: 'any',
      value: this.at,
      className: 'number-in-text',
      ariaLabel: `${this.element.ariaLabel}, ${this.low} to ${this.high}`,
    })
    let open = true
    const done = (/** @type {boolean} */ keep, /** @type {boolean} */ back) => {
      if (!open) return
      open = false
      const value = input.valueAsNumber
      input.replaceWith(this.element)
      if (keep && Number.isFinite(value)) this.take(String(value))
      if (back) this.element.focus()
    }
    input.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === 'Escape') done(event.key === 'Enter', true)
    })
    input.addEventListener('blur', () => done(true, false))
    this.element.replaceWith(input)
    input.select()
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = Math.max(this.step, (this.high - this.low) / 10)
    /** @type {Record<string, number>} */
    const moves = {
      ArrowRight: this.at + this.step,
      ArrowUp: this.at + this.step,
      ArrowLeft: this.at - this.step,
      ArrowDown: this.at - this.step,
      PageUp: this.at + page,
      PageDown: this.at - page,
      Home: this.low,
      End: this.high,
    }
    if (event.key in moves) this.move(moves[event.key])
    else if (event.key === 'Enter' || event.key === ' ') this.click()
    else return
    event.preventDefault()
  }
}
