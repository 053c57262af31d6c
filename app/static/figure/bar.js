// The bar of a training, beside its buttons: how far the run is, and a slider back to its earlier pictures.
import {pressed} from '../shared/pressed.js'

const ONE = 'Earlier pictures are not kept with the end of a run; training shows them.'

export class Bar {
  /** @param {HTMLElement} element @param {(step: number, isKey: boolean) => void} scrub */
  constructor(element, scrub) {
    this.element = element
    this.range = element.querySelector('input')
    this.count = element.querySelector('.count')
    this.status = element.querySelector('.status')
    this.range.addEventListener('input', () => scrub(this.range.valueAsNumber, !pressed()))
  }

  // Moves beside Train, which is part of the picture's document.
  /** @param {import('../bokeh/kept.js').Kept} kept */
  join(kept) {
    const row = kept.models.find(model => model.css_classes?.includes('turns'))
    const view = row && Bokeh.index.find_one(row)
    view?.shadow_el.append(this.element)
  }

  /** @param {Live} live of the picture that is shown @param {import('./film.js').Film} film @param {string} status */
  show({step = 0, steps = 0, kept}, {frames, newest}, status) {
    const {range} = this
    const words = steps ? `step ${step} of ${steps}` : ''
    range.max = String(steps || 1)
    range.value = String(step)
    range.disabled = frames.length < 2
    range.ariaValueText = words
    range.ariaDescription = range.title = range.disabled && kept ? ONE : ''
    range.style.setProperty('--at', String(step / (steps || 1)))
    range.style.setProperty('--reached', String((newest?.step ?? step) / (steps || 1)))
    this.count.textContent = words
    this.status.textContent = status
  }
}
