// Numbers in a sentence that are parameters of a simulation: drag them, press arrow keys, or click to type.
const PIXELS_PER_RANGE = 260
const PIXELS_PER_OPTION = 28
const CLICK = 4

class Knob {
  constructor(element) {
    this.element = element
    const {knob, label, options, low, high, step} = element.dataset
    ;[this.id, this.name] = [knob.slice(0, knob.indexOf('.')), knob.slice(knob.indexOf('.') + 1)]
    this.options = options ? JSON.parse(options) : null
    this.low = this.options ? 0 : Number(low)
    this.high = this.options ? this.options.length - 1 : Number(high)
    this.step = this.options ? 1 : Number(step)
    element.tabIndex = 0
    element.role = 'slider'
    element.ariaLabel = label
    element.ariaValueMin = this.low
    element.ariaValueMax = this.high
    this.show(element.dataset.value)
    element.addEventListener('pointerdown', event => this.grab(event))
    element.addEventListener('keydown', event => this.key(event))
  }

  show(text) {
    this.element.dataset.value = text
    this.at = this.options ? Math.max(0, this.options.findIndex(([value]) => value === text)) : Number(text)
    this.element.textContent = this.options ? this.options[this.at][1] : text
    this.element.ariaValueNow = this.at
    this.element.ariaValueText = this.element.textContent
  }

  move(to) {
    const steps = Math.round((Math.min(Math.max(to, this.low), this.high) - this.low) / this.step)
    const at = Number((this.low + steps * this.step).toPrecision(12))
    if (at === this.at) return
    const value = this.options ? this.options[at][0] : String(at)
    for (const knob of knobs) if (knob.id === this.id && knob.name === this.name) knob.show(value)
    document.dispatchEvent(new CustomEvent('knob', {detail: {id: this.id, name: this.name, value}}))
  }

  grab(down) {
    if (down.button) return
    down.preventDefault()
    this.element.focus()
    const from = this.at
    const pixels = this.options ? PIXELS_PER_OPTION * this.high : PIXELS_PER_RANGE
    let dragged = false
    this.held = true
    const drag = event => {
      dragged ||= Math.abs(event.clientX - down.clientX) > CLICK
      if (dragged) this.move(from + (event.clientX - down.clientX) * (this.high - this.low) / pixels)
    }
    const drop = event => {
      this.held = false
      this.element.removeEventListener('pointermove', drag)
      if (event.type === 'pointerup' && !dragged) this.click()
    }
    this.element.setPointerCapture(down.pointerId)
    this.element.addEventListener('pointermove', drag)
    this.element.addEventListener('pointerup', drop, {once: true})
    this.element.addEventListener('pointercancel', drop, {once: true})
  }

  click() {
    if (this.options) this.move(this.at < this.high ? this.at + 1 : this.low)
    else this.type()
  }

  type() {
    const input = Object.assign(document.createElement('input'), {
      type: 'number', min: this.low, max: this.high, step: this.step, value: this.at, className: 'knob-field',
      ariaLabel: this.element.ariaLabel,
    })
    let open = true
    const done = keep => {
      if (!open) return
      open = false
      const value = input.valueAsNumber
      input.replaceWith(this.element)
      if (keep && Number.isFinite(value)) this.move(value)
      this.element.focus()
    }
    input.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === 'Escape') done(event.key === 'Enter')
    })
    input.addEventListener('blur', () => done(true))
    this.element.replaceWith(input)
    input.select()
  }

  key(event) {
    const page = Math.max(this.step, (this.high - this.low) / 10)
    const moves = {
      ArrowRight: this.at + this.step, ArrowUp: this.at + this.step, ArrowLeft: this.at - this.step, ArrowDown: this.at - this.step,
      PageUp: this.at + page, PageDown: this.at - page, Home: this.low, End: this.high,
    }
    if (event.key in moves) this.move(moves[event.key])
    else if (event.key === 'Enter' || event.key === ' ') this.click()
    else return
    event.preventDefault()
  }
}

const knobs = [...document.querySelectorAll('.knob')].map(element => new Knob(element))

document.addEventListener('simulation', ({detail: {id, live}}) => {
  for (const knob of knobs)
    if (knob.id === id && !knob.held && live.values?.[knob.name] !== undefined && live.values[knob.name] !== knob.element.dataset.value)
      knob.show(live.values[knob.name])
})
