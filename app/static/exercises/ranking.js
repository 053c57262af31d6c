// An order that the reader gives by pressing the options, one after the other: those of the question, or the rows of
// the figure that asks it. What is pressed again becomes the last, so pressing all of them gives any order.
import {placeOver} from './drawing.js'

/** @typedef {import('./drawing.js').PlotFrame} PlotFrame */

const words = (/** @type {HTMLElement} */ item) => item.querySelector('.words').textContent.trim()

export class Ranking {
  /** @param {HTMLElement} section @param {() => void} changed */
  constructor(section, changed) {
    this.items = /** @type {HTMLElement[]} */ ([...section.querySelectorAll('[data-option]')])
    this.options = this.items.map(item => Number(item.dataset.option))
    this.spoken = section.querySelector('.spoken')
    this.host = section.querySelector('.drawing-board')
    this.changed = changed
    this.fixed = false
    /** @type {number[]} */
    this.pressed = [] // options, the first one first
    this.buttons = this.items.map(item => item.querySelector('button'))
    this.rows = this.host ? this.items.map(() => this.host.appendChild(document.createElement('button'))) : []
    for (const buttons of [this.buttons, this.rows])
      buttons.forEach((button, at) => {
        button.type = 'button'
        button.addEventListener('click', () => this.press(at))
      })
    this.mark()
  }

  // The options in the reader's order; null while it is incomplete.
  get order() {
    return this.pressed.length === this.options.length ? this.pressed : null
  }
  set order(options) {
    this.pressed = [...(options ?? [])]
    this.mark()
  }

  /** @param {number} at */
  press(at) {
    if (this.fixed || this.items[at].closest('[inert]')) return
    const pressed = [...this.pressed.filter(option => option !== this.options[at]), this.options[at]]
    const left = this.options.filter(option => !pressed.includes(option))
    this.order = left.length === 1 ? [...pressed, ...left] : pressed
    this.spoken.textContent = `${this.said(at)}.${this.order ? ' All are in order.' : ''}`
    this.changed()
  }

  /** @param {number} at */
  said(at) {
    const place = this.pressed.indexOf(this.options[at]) + 1
    return `${words(this.items[at])}: ${place ? `number ${place} of ${this.options.length}` : 'not in order yet'}`
  }

  mark() {
    for (const buttons of [this.buttons, this.rows])
      buttons.forEach((button, at) => {
        button.dataset.place = String(this.pressed.indexOf(this.options[at]) + 1 || '')
        button.ariaLabel = this.said(at)
      })
  }

  // Lays a button over the row of each option, or follows a plot whose size has changed.
  /** @param {HTMLElement} stage @param {PlotFrame} frame */
  place(stage, frame) {
    placeOver(this.host, stage, frame)
    const heights = [...frame.rows.values()].sort((a, b) => a - b)
    const height = heights[1] - heights[0]
    const {left, right} = frame.inner
    this.rows.forEach((button, at) => {
      const top = (frame.rows.get(this.items[at].dataset.row ?? '') ?? 0) - height / 2
      Object.assign(button.style, {
        left: `${left}px`,
        width: `${right - left}px`,
        top: `${top}px`,
        height: `${height}px`,
      })
    })
  }

  // Ends a ranking that nobody has made: the numbers are those of the truth.
  /** @param {number[]} truth */
  tell(truth) {
    this.fixed = true
    this.order = truth
  }

  // Ends the ranking: every option shows its true place.
  /** @param {number[]} truth */
  fix(truth) {
    this.fixed = true
    this.items.forEach((item, at) => {
      const place = truth.indexOf(this.options[at])
      const right = this.pressed[place] === this.options[at]
      item.querySelector('.true-place').textContent = right ? '✓' : `true: ${place + 1}`
      item.dataset.right = String(right)
    })
  }
}
