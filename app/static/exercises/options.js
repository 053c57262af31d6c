// Answers that are given by pressing options: one of them, or all in an order. An option that is a row of the picture or of
// the table that asks can be pressed there, too.
import {placeOver} from './drawing.js'

/** @typedef {import('./drawing.js').PlotFrame} PlotFrame */
/** @typedef {import('./drawing.js').Box} Box */

const words = (/** @type {HTMLElement} */ item) => item.querySelector('.words').textContent.trim()

// Where the row of an option is in a plot; null if it has none.
/** @param {HTMLElement} item @param {PlotFrame} frame @returns {Box | null} */
function boxOf({dataset}, {rows, inner: {left, right}}) {
  const middle = rows.get(dataset.row ?? '')
  if (middle === undefined) return null
  const heights = [...rows.values()].sort((a, b) => a - b)
  const half = (heights[1] - heights[0]) / 2
  return {left, right, top: middle - half, bottom: middle + half}
}

// Lays something to press over the row of each option.
/** @param {HTMLElement[]} items @param {HTMLElement[]} marks @param {PlotFrame} frame */
function cover(items, marks, frame) {
  items.forEach((item, at) => {
    const box = boxOf(item, frame)
    marks[at].hidden = !box
    if (!box) return
    const {left, right, top, bottom} = box
    for (const [name, size] of Object.entries({left, top, width: right - left, height: bottom - top}))
      marks[at].style.setProperty(name, `${size}px`)
  })
}

// One of the options. Those below the question are what keys and screen readers use; pressing a row chooses its option.
export class Choice {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section
    this.items = /** @type {HTMLElement[]} */ ([...section.querySelectorAll('.option')])
    this.host = section.querySelector('.drawing-board')
    this.frame = /** @type {PlotFrame | null} */ (null)
    this.shown = false
    this.marks = this.items.map(item => (this.host ? [this.overlay()] : tableRows(section, item)))
    for (const [item, mark] of this.pairs()) {
      mark.classList.add('pressable')
      mark.addEventListener('click', () => this.press(item))
      for (const name of ['pointerenter', 'focusin'])
        item.addEventListener(name, () => mark.toggleAttribute('data-lit', !this.isFixed))
      for (const name of ['pointerleave', 'focusout'])
        item.addEventListener(name, () => mark.removeAttribute('data-lit'))
    }
    section.addEventListener('input', () => this.mark())
  }

  overlay() {
    const mark = this.host.appendChild(document.createElement('div'))
    mark.ariaHidden = 'true'
    return mark
  }

  /** @param {HTMLElement} item */
  input(item) {
    return /** @type {HTMLInputElement} */ (item.querySelector('input'))
  }

  // Whether the answer can no longer be changed: it was given, or waits for a class.
  get isFixed() {
    return this.shown || this.items.some(item => this.input(item).matches(':disabled') || item.closest('[inert]'))
  }

  /** @param {HTMLElement} item */
  press(item) {
    if (this.isFixed) return
    this.input(item).click()
    this.input(item).focus({preventScroll: true})
  }

  pairs() {
    return this.items.flatMap((item, at) => this.marks[at].map(mark => /** @type {const} */ ([item, mark])))
  }

  mark() {
    for (const [item, mark] of this.pairs()) mark.toggleAttribute('data-chosen', this.input(item).checked)
  }

  /** @param {HTMLElement} stage @param {PlotFrame} frame */
  place(stage, frame) {
    this.frame = frame
    placeOver(this.host, stage, frame)
    cover(this.items, this.marks.flat(), frame)
    if (this.shown) this.keep()
  }

  // Ends the choice: what was chosen stays marked in the picture.
  reveal() {
    this.shown = true
    this.mark()
    this.keep()
  }

  // The outline of the chosen row goes into the figure, whose images and downloads then contain it.
  keep() {
    const chosen = this.items.find(item => this.input(item).checked)
    const box = chosen && this.frame && boxOf(chosen, this.frame)
    if (box) this.frame?.choose(box)
  }
}

// The rows of an option in the table that waits for the answer, right below the question: it may have others before it.
/** @param {HTMLElement} section @param {HTMLElement} item @returns {HTMLElement[]} */
function tableRows(section, {dataset: {row}}) {
  const table = row && section.nextElementSibling?.matches('.covered') ? section.nextElementSibling : null
  const rows = /** @type {HTMLElement[]} */ ([...(table?.querySelectorAll('tbody > tr') ?? [])])
  return rows.filter(one => one.querySelector('th')?.textContent.trim() === row)
}

// An order: what is pressed again becomes the last, so pressing all options gives any order.
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
    this.spoken.textContent = `${this.said(at)}.${this.order ? ' All are placed.' : ''}`
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
    cover(this.items, this.rows, frame)
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
