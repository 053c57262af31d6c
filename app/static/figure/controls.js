import {element, isDown, isFocused, keepFocus} from '../bokeh/focus.js'

// The widgets of a picture: reports the reader's changes as texts by parameter name, and shows parameter values.
/** @type {Record<string, string>} */
const ATTRIBUTES = {
  Slider: 'value',
  RadioButtonGroup: 'active',
  CustomSelect: 'value',
  Select: 'value',
  Checkbox: 'active',
  TextInput: 'value',
}

/** @param {BokehModel} model */
const attribute = model => ATTRIBUTES[/** @type {string} */ (model.type.split('.').at(-1))]

/** @typedef {{control: string, options?: [value: string, shown: string][], stops?: boolean, needs?: [name: string, text: string]}} ControlTag what Python says of a control */
class Control {
  /** @param {BokehModel} model @param {ControlTag} tag */
  constructor(model, {control, options, stops, needs}) {
    this.model = model
    this.name = control
    this.options = options
    this.stops = stops
    this.needs = needs
    this.attribute = attribute(model)
    this.tell()
  }

  get indexed() {
    return this.options && typeof this.model[this.attribute] !== 'string'
  }

  get text() {
    const value = this.model[this.attribute]
    if (this.indexed) return this.options?.[value]?.[0] ?? ''
    return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
  }

  /** @param {string} text */
  show(text) {
    if (this.text === text) return
    const now = this.model[this.attribute]
    const at = this.options?.findIndex(([option]) => option === text) ?? -1
    if (this.indexed && at < 0) return
    const value = this.indexed
      ? at
      : typeof now === 'boolean'
        ? text === 'yes'
        : typeof now === 'number'
          ? Number(text)
          : text
    this.model.setv({[this.attribute]: value}, {sync: false})
    this.tell()
  }

  // A slider through stops labels its value itself, which Bokeh does only for plain numbers; those get a true minus
  // sign.
  tell() {
    const title = Bokeh.index.find_one(this.model)?.title_el
    if (!title) return
    const value = title.querySelector('.bk-slider-value')
    const text = this.stops ? this.options?.[this.model.value]?.[1] : value?.textContent.replace('-', '−')
    value?.remove()
    if (text !== undefined)
      title.append(Object.assign(document.createElement('span'), {className: 'bk-slider-value', textContent: text}))
  }
}

export class Controls {
  // `setParameter(name, text)` sets a parameter; `act(action, more)` reports a button of the bar.
  /** @param {import('../bokeh/kept.js').Kept} picture @param {HTMLElement} host @param {{setParameter: (name: string, text: string) => void, act: (action: string, more?: object) => void}} hears */
  constructor(picture, host, {setParameter, act}) {
    this.showing = false
    /** @type {number | undefined} */
    this.offering = undefined
    this.offered = /** @type {Late<Live>} */ (/** @type {any} */ (null))
    /** @type {Control | null} what the reader holds */
    this.held = null
    this.all = picture.tagged('control').map(({model, tag}) => new Control(model, tag))
    for (const control of this.all)
      control.model.properties[control.attribute].change.connect(() => {
        if (this.showing) return
        if (this.down) this.held = control
        control.tell()
        setParameter(control.name, control.text)
      })
    /** @type {Record<string, BokehModel>} */
    this.buttons = Object.fromEntries(picture.tagged('does').map(({model, tag}) => [tag.does, model]))
    for (const [action, button] of Object.entries(this.buttons))
      if (action !== 'speed') button.on_event('button_click', () => act(action))
    this.verb = this.buttons.play?.label
    this.buttons.speed?.properties.value.change.connect(() => act('speed', {share: Number(this.buttons.speed.value)}))
    for (const {model, tag} of picture.tagged('opens'))
      model.properties.active.change.connect(() => {
        for (const fold of picture.tagged('fold')) if (fold.tag.fold === tag.opens) fold.model.visible = model.active
      })
    host.addEventListener(
      'pointerdown',
      () => {
        this.down = true
      },
      {capture: true},
    )
    for (const end of ['pointerup', 'pointercancel'])
      addEventListener(end, () => {
        this.down = false
        this.held = null
      })
  }

  // The chosen share of full speed.
  get share() {
    return Number(this.buttons.speed?.value ?? 1)
  }

  // Show values; a control that the reader holds stays as it is.
  /** @param {Values} values */
  show(values) {
    this.showing = true
    for (const control of this.all)
      if (control !== this.held && values[control.name] !== undefined) control.show(values[control.name])
    for (const control of this.all) {
      const [name, text] = control.needs ?? []
      const disabled = this.all.find(other => other.name === name)?.text !== text
      if (name && control.model.disabled !== disabled) control.model.setv({disabled}, {sync: false})
    }
    this.showing = false
  }

  // Disable the bar of a training for good, as there is no server that could train. Returns whether there was one.
  withdraw() {
    const bar = Object.values(this.buttons)
    for (const button of bar) button.disabled = true
    this.withdrawn = bar.length > 0
    return this.withdrawn
  }

  // Enable what can be done now, once no button is down: Bokeh draws a button with another label anew, and a press that
  // begins on one element and ends on another is no click.
  /** @param {Live} live */
  offer(live) {
    this.offered = live
    if (!Object.values(this.buttons).some(isDown)) return this.enable(live)
    this.offering ??= requestAnimationFrame(() => {
      this.offering = undefined
      this.offer(this.offered)
    })
  }

  // Train and Pause take turns in one place, and the one that appears takes the focus.
  /** @param {Live} live */
  enable({status, playing, kept, end, step, steps, message, seconds}) {
    const {play, pause, step: one, end: skip} = this.buttons
    if (!play || this.withdrawn) return
    for (const button of [play, pause, one, skip]) keepFocus(button)
    const over = ['finished', 'diverged', 'failed'].includes(status)
    const [coming, going] = playing ? [pause, play] : [play, pause]
    const focused = isFocused(going) || isFocused(play)
    // What nobody has trained yet is offered, with the time it takes.
    const isNew = status === 'ready' && !kept && !step && Boolean(steps)
    const label = isNew ? `${this.verb} this${seconds ? ` (about ${lasting(seconds / this.share)})` : ''}` : this.verb
    if (play.label !== label) play.setv({label}, {sync: false})
    coming.visible = true
    going.visible = false
    if (focused && element(going)) element(coming)?.focus()
    skip.visible = Boolean(end) && !(steps && (step ?? 0) >= steps)
    play.disabled = one.disabled = over && !kept && !message
  }
}

// A duration in words, no more precise than an estimate is.
/** @param {number} seconds */
export function lasting(seconds) {
  if (seconds < 9.5) return `${Math.ceil(seconds)} s`
  if (seconds < 57.5) return `${5 * Math.round(seconds / 5)} s`
  return `${Math.round(seconds / 60)} min`
}
