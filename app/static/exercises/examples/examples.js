// Worked examples with editable numbers. For inputs on the grid, results come from precomputed tables, which are
// fetched when the reader approaches one. The server computes anything else: one request is in flight at a time, and
// changes made meanwhile are asked for next. Without an answer the last numbers stay, and the page says so.
import {STATIC} from '../../shared/static-copy.js'
import * as store from '../../shared/store.js'
import {Slider} from '../slider.js'
import {Tables} from './tables.js'

const PATIENCE = 10_000
const SPEAK_AFTER = 700

class Example {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section
    /** @type {Promise<void> | null} */
    this.fetching = null
    this.numbers = [...section.querySelectorAll('[data-calc]')]
    this.original = this.numbers.map(element => element.innerHTML)
    this.remark = section.querySelector('.remark')
    /** @type {(name: string) => HTMLButtonElement} */
    this.button = name => section.querySelector(`button[data-again=${name}]`)
    this.inputs = [...section.querySelectorAll('.input')].map(element => {
      const name = element.dataset.input,
        first = element.dataset.value
      const slider = new Slider(element, (/** @type {string} */ text) => this.edit(name, text, slider))
      return {name, first, slider}
    })
    for (const {
      slider: {element},
    } of this.inputs)
      for (const reach of ['pointerenter', 'focus', 'touchstart'])
        element.addEventListener(reach, () => this.approached(), {passive: true})
    this.turn = 0 // number of answers from the tables; a server's answer requested before the latest one is out of date
    this.button('reset').addEventListener('click', () => this.reset())
    this.button('retry').addEventListener('click', () => this.ask())
  }

  /** @returns {Values} */
  values() {
    return Object.fromEntries(this.inputs.map(({name, slider}) => [name, slider.value]))
  }

  /** @param {Values} values */
  words(values) {
    const phrases = new Map(
      this.inputs.map(({name, slider}) => [
        name,
        `${slider.element.ariaLabel} ${slider.text(values[name])} ${slider.unit}`.trim(),
      ]),
    )
    return [...phrases.values()].join(', ')
  }

  /** @param {string} name @param {string} text @param {Slider} from */
  edit(name, text, from) {
    for (const input of this.inputs) if (input.name === name && input.slider !== from) input.slider.show(text)
    this.ask()
  }

  get untouched() {
    return this.inputs.every(({first, slider}) => slider.value === first)
  }

  /** @returns {Promise<void> | null} */
  approached() {
    if (!this.section.dataset.numbers) return null
    return (this.fetching ??= Tables.fetched(`${this.section.dataset.numbers}/tables.json`).then(
      tables => {
        this.tables = tables
        this.section.toggleAttribute('data-ahead', Boolean(tables))
      },
      () => {
        this.fetching = null
      },
    ))
  }

  async ask() {
    if (this.untouched) return this.reset()
    if (this.look()) return
    if (STATIC) return this.askNobody()
    if (this.asking) {
      this.again = true
      return
    }
    const values = this.values(),
      {turn} = this
    this.asking = true
    this.again = false
    this.button('reset').hidden = false
    try {
      const query = new URLSearchParams({...values, page: store.page, example: this.section.id})
      const reply = await fetch(`calculate?${query}`, {signal: AbortSignal.timeout(PATIENCE)})
      const answer = reply.ok ? await reply.json() : null
      if (turn !== this.turn) return this.answered()
      if (answer?.numbers?.length !== this.numbers.length)
        this.fail('The page on the server has changed. Reload it to go on.')
      else if (!this.untouched) this.fill(answer, !this.again)
    } catch {
      if (turn === this.turn)
        this.fail(
          `The server is not responding. The bold numbers still belong to ${this.words(this.filled ?? this.first())}.`,
        )
    }
    this.answered()
  }

  answered() {
    this.asking = false
    if (this.again) this.ask()
  }

  // Look up the values in the tables; fails if there are no tables or they lack these values.
  /** @param {Values} [values] @param {string[]} [notes] */
  look(values = this.values(), notes = []) {
    const numbers = this.tables?.at(values)
    if (!numbers) return false
    this.turn += 1
    this.again = false
    this.button('reset').hidden = false
    this.fill({values, notes, numbers}, true)
    return true
  }

  // Without a server, round values to the nearest steps.
  async askNobody() {
    await this.approached()
    if (this.untouched || this.look()) return
    if (!this.tables) return this.fail('This copy of the site cannot compute these numbers.')
    const requested = this.values(),
      values = this.tables.nearest(requested)
    const others = this.inputs.filter(
      ({name}, at, all) => values[name] !== requested[name] && all.findIndex(input => input.name === name) === at,
    )
    this.look(
      values,
      others.map(
        ({name, slider}) =>
          `${slider.element.ariaLabel}: ${slider.text(requested[name])} is not one of the steps; ${slider.text(values[name])} is used.`,
      ),
    )
  }

  /** @returns {Values} */
  first() {
    return Object.fromEntries(this.inputs.map(({name, first}) => [name, first]))
  }

  /** @param {ExampleAnswer} answer @param {boolean} settled */
  fill({values, notes, numbers}, settled) {
    this.filled = values
    for (const [index, html] of numbers.entries()) this.put(index, html)
    if (settled)
      for (const {name, slider} of this.inputs)
        if (!slider.held && slider.value !== values[name]) slider.show(values[name])
    this.say(notes.join(' '))
    this.speak(`Updated for ${this.words(values)}.`, notes)
  }

  /** @param {number} index @param {string} html */
  put(index, html) {
    const place = this.numbers[index]
    if (place.innerHTML === html) return
    place.innerHTML = html
    place.classList.remove('fresh')
    void place.offsetWidth
    place.classList.add('fresh')
  }

  // Announced to screen readers once the reader has stopped; visible text changes at once.
  /** @param {string} sentence @param {string[]} notes */
  speak(sentence, notes) {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      const open = this.numbers.filter(element => element.checkVisibility())
      this.spoken(`${notes.join(' ')} ${sentence} ${open.map(element => element.textContent).join('; ')}.`)
    }, SPEAK_AFTER)
  }

  /** @param {string} text */
  spoken(text) {
    this.section.querySelector('.spoken').textContent = text
  }

  /** @param {string} text @param {boolean} [stale] */
  say(text, stale = false) {
    this.remark.textContent = text
    this.section.toggleAttribute('data-stale', stale)
    this.button('retry').hidden = !stale
  }

  /** @param {string} text */
  fail(text) {
    clearTimeout(this.timer)
    this.say(text, true)
    this.spoken(text)
  }

  reset() {
    this.turn += 1 // an answer that is under way comes too late
    this.again = false
    this.filled = null
    for (const {first, slider} of this.inputs) slider.show(first)
    for (const [index, html] of this.original.entries()) this.put(index, html)
    if (this.button('reset').contains(document.activeElement)) this.inputs[0].slider.element.focus()
    this.button('reset').hidden = true
    this.say('')
    this.speak('The original numbers are back.', [])
  }
}

for (const section of document.querySelectorAll('.worked[data-editable]')) new Example(section)
