// Predictions drawn as a curve: with mouse, touch or pen across the plot, or point by point with keys.
import {drag} from '../shared/drag.js'
import {formatted, number, tick} from '../shared/numbers.js'
import {Scale, tickText} from '../shared/scale.js'

/**
 * @typedef {object} Axes of a curve that is drawn (`data-axes`)
 * @property {{label: string, values: number[], logarithmic: boolean}} across
 * @property {{label: string, low: number, high: number, logarithmic: boolean, unit: string, format: string}} up
 */
/** @typedef {(number | null)[]} Curve a value for each position across; null where none is known yet */
/** @typedef {{x: number, y: number}} Point pixels from the corner of the board */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box pixels in a plot */
/**
 * @typedef {object} PlotFrame a plot of a figure, on whose axes the curve is drawn, in pixels
 * @property {number} left of the plot in its stage
 * @property {number} top
 * @property {number} width
 * @property {number} height
 * @property {Box} inner the area between its axes
 * @property {(value: number) => number} x
 * @property {(value: number) => number} y
 * @property {(y: number) => number} value on the vertical axis
 * @property {(x: number) => number} across value on the horizontal axis
 * @property {'x' | 'y'} axis on which a number is placed
 * @property {string} name of that axis, or of the plot if it has none
 * @property {Map<string, number>} rows names on the vertical axis, and where they are
 * @property {(points: Point[]) => void} keep draws a curve, given in values, into the figure
 * @property {(rows: Record<'guess' | 'truth', Record<string, unknown>[]>) => void} mark draws a number and the true one
 * @property {(box: Box) => void} choose outlines the option that the reader has chosen
 */

const SVG = 'http://www.w3.org/2000/svg'
const MARGIN = {left: 46, right: 18, top: 34, bottom: 46}
const NEAR = 16
/** @type {Record<string, number>} */
const KEYS = {
  ArrowUp: 0.02,
  ArrowRight: 0.02,
  ArrowDown: -0.02,
  ArrowLeft: -0.02,
  PageUp: 0.1,
  PageDown: -0.1,
  Home: -1,
  End: 1,
}

/** @type {(name: string, attributes?: Record<string, string | number>, text?: string) => SVGElement} */
function make(name, attributes = {}, text = undefined) {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  if (text !== undefined) element.textContent = text
  return element
}

// Lays what a reader answers with over a plot of a figure.
/** @param {HTMLElement} host @param {HTMLElement} stage @param {PlotFrame} frame */
export function placeOver(host, stage, frame) {
  if (host.parentElement !== stage) {
    const focused = host.contains(document.activeElement) ? document.activeElement : null // which moving takes away
    stage.append(host)
    if (focused instanceof SVGElement) focused.focus({preventScroll: true})
    host.classList.add('placed')
  }
  for (const side of /** @type {const} */ (['left', 'top', 'width', 'height'])) host.style[side] = `${frame[side]}px`
}

export class Board {
  /** @param {HTMLElement} section @param {() => void} changed */
  constructor(section, changed) {
    this.host = section.querySelector('.drawing-board')
    this.field = section.querySelector('fieldset')
    this.changed = changed
    this.width = this.height = 0 // pixels, as they are measured
    /** @type {Axes} */
    this.axes = JSON.parse(this.host.dataset.axes)
    /** @type {Curve} */
    this.truth = JSON.parse(section.dataset.answer)
    const {across, up} = this.axes
    this.values = across.values
    this.x = new Scale(this.values[0], this.values[this.values.length - 1], across.logarithmic)
    this.y = new Scale(up.low, up.high, up.logarithmic)
    this.drawn = this.values.map(() => /** @type {number | null} */ (null))
    this.shown = false
    this.frame = /** @type {PlotFrame | null} */ (null)
    /** @type {number[][]} */
    this.others = []
    this.svg = make('svg')
    this.svg.role = 'group'
    this.svg.ariaLabel = `Plot of ${up.label}, ${this.amount(up.low)} to ${this.amount(up.high)}, against ${across.label}`
    this.grid = make('g', {class: 'grid', 'aria-hidden': 'true'})
    this.between = make('path', {class: 'between'})
    this.room = make('g', {class: 'room-lines', 'aria-hidden': 'true'})
    this.lines = {yours: make('path', {class: 'line yours-line'}), truth: make('path', {class: 'line truth-line'})}
    this.labels = {
      yours: make('text', {class: 'yours-label'}, 'You'),
      truth: make('text', {class: 'truth-label'}, 'Measured'),
    }
    const labels = make('g', {class: 'curve-labels', 'aria-hidden': 'true', 'text-anchor': 'end'})
    labels.append(...Object.values(this.labels))
    this.hint = make('text', {class: 'hint', 'text-anchor': 'middle', 'aria-hidden': 'true'}, 'Draw here')
    this.handles = this.values.map((value, index) => this.handle(value, index))
    this.svg.append(
      this.grid,
      this.between,
      this.room,
      this.lines.truth,
      this.lines.yours,
      this.hint,
      ...this.handles,
      labels,
    )
    this.host.append(this.svg)
    this.svg.addEventListener('pointerdown', event => this.grab(event))
    new ResizeObserver(() => this.render()).observe(this.host)
    this.render()
  }

  /** @param {number} value */
  text(value) {
    return formatted(value, this.axes.up.format)
  }
  /** @param {number} value */
  amount(value) {
    return `${this.text(value)} ${this.axes.up.unit}`.trim()
  }

  /** @param {number} value @param {number} index */
  handle(value, index) {
    const handle = make('g', {class: 'handle'})
    handle.append(make('circle', {class: 'reach', r: 14}), make('circle', {class: 'dot', r: 6}))
    handle.tabIndex = 0
    handle.role = 'slider'
    handle.setAttribute('aria-orientation', 'vertical')
    handle.ariaLabel = `${this.axes.up.label} at ${this.axes.across.label} ${number(value, 6)}`
    handle.ariaValueMin = String(this.y.ariaValue(this.y.low))
    handle.ariaValueMax = String(this.y.ariaValue(this.y.high))
    handle.addEventListener('keydown', event => this.key(event, index))
    return handle
  }

  /** @param {KeyboardEvent} event @param {number} index */
  key(event, index) {
    if (!(event.key in KEYS) || this.isFixed) return
    event.preventDefault()
    const neighbor = this.drawn[index] ?? this.drawn[index - 1]
    const share = neighbor == null ? 0.5 : this.y.share(neighbor)
    this.put(index, share + KEYS[event.key])
    this.changed()
  }

  /** @param {number} index @param {number} share */
  put(index, share) {
    this.drawn[index] = this.y.value(share)
    this.render()
  }

  // Moves the board onto a plot of a figure, or follows that plot.
  /** @param {HTMLElement} stage @param {PlotFrame} frame */
  place(stage, frame) {
    this.frame = frame
    placeOver(this.host, stage, frame)
    this.render()
  }

  // Shows the curves of a room, and their median.
  /** @param {number[][]} curves */
  set crowd(curves) {
    this.others = curves
    this.render()
  }

  // The curve through the middle of the room's.
  get middle() {
    return this.values.map((_value, index) => median(this.others.map(curve => curve[index])))
  }

  roomLines() {
    const lines = this.others.map(curve => make('path', {d: this.path(curve)}))
    return this.others.length ? [...lines, make('path', {class: 'middle', d: this.path(this.middle)})] : []
  }

  // Whether the answer can no longer be changed: it was given, or waits for a class. On a figure, the board is not in the
  // fieldset.
  get isFixed() {
    return this.shown || this.field.inert
  }

  get complete() {
    return this.drawn.every(value => value !== null)
  }

  /** @param {PointerEvent} down */
  grab(down) {
    if (this.isFixed || down.button || !down.isPrimary) return
    down.preventDefault()
    const where = (/** @type {PointerEvent} */ event) => {
      const box = this.svg.getBoundingClientRect()
      return {x: event.clientX - box.left, y: event.clientY - box.top}
    }
    let last = where(down)
    const nearest = this.nearest(last.x)
    this.handles[nearest].focus({preventScroll: true})
    this.put(nearest, this.up(last.y))
    const move = (/** @type {PointerEvent} */ event) => {
      const at = where(event)
      this.sweep(last, at)
      last = at
    }
    drag(this.svg, down, move, () => this.changed())
  }

  // Set every point that a stroke passes, however fast it is.
  /** @param {Point} from @param {Point} to */
  sweep(from, to) {
    const [left, right] = from.x < to.x ? [from, to] : [to, from]
    this.values.forEach((value, index) => {
      const x = this.at(value)
      if (
        Math.abs(x - to.x) <= NEAR ||
        (index === this.nearest(to.x) &&
          (to.x < this.at(this.values[0]) || to.x > this.at(this.values[this.values.length - 1])))
      )
        this.put(index, this.up(to.y))
      else if (left.x <= x && x <= right.x && left.x < right.x)
        this.put(index, this.up(left.y + ((right.y - left.y) * (x - left.x)) / (right.x - left.x)))
    })
  }

  /** @param {number} x */
  nearest(x) {
    const far = this.values.map(value => Math.abs(this.at(value) - x))
    return far.indexOf(Math.min(...far))
  }

  /** @param {number} value */
  at(value) {
    if (this.frame) return this.frame.x(value)
    return MARGIN.left + this.x.share(value) * (this.width - MARGIN.left - MARGIN.right)
  }
  /** @param {number} y */
  up(y) {
    if (this.frame) return this.y.share(this.frame.value(y))
    return 1 - (y - MARGIN.top) / (this.height - MARGIN.top - MARGIN.bottom)
  }
  /** @param {number} value */
  down(value) {
    if (this.frame) {
      const {top, bottom} = this.frame.inner
      return Math.min(Math.max(this.frame.y(value), top), bottom)
    }
    const share = Math.min(Math.max(this.y.share(value), 0), 1)
    return MARGIN.top + (1 - share) * (this.height - MARGIN.top - MARGIN.bottom)
  }

  /** @param {Curve} values */
  path(values) {
    let pen = 'M'
    return values
      .map((value, index) => {
        if (value === null) {
          pen = 'M'
          return ''
        }
        const part = `${pen}${this.at(this.values[index]).toFixed(1)} ${this.down(value).toFixed(1)}`
        pen = 'L'
        return part
      })
      .join('')
  }

  render() {
    this.width = this.frame?.width ?? (this.host.clientWidth || 320)
    this.height = this.frame?.height ?? Math.round(Math.min(Math.max(0.56 * this.width, 250), 340))
    this.svg.setAttribute('width', String(this.width))
    this.svg.setAttribute('height', String(this.height))
    this.axesAndGrid()
    this.lines.yours.setAttribute('d', this.shown && this.frame ? '' : this.path(this.drawn))
    this.lines.truth.setAttribute('d', this.shown && !this.frame ? this.path(this.truth) : '')
    if (this.frame && this.shown) this.keep()
    this.room.replaceChildren(...this.roomLines())
    const {left, right, top, bottom} = this.area
    this.hint.setAttribute('x', String((left + right) / 2))
    this.hint.setAttribute('y', String(top + (bottom - top) / 4))
    this.hint.toggleAttribute(
      'hidden',
      this.shown || this.others.length > 0 || this.drawn.some(value => value !== null),
    )
    const middle = this.y.value(0.5)
    this.handles.forEach((handle, index) => {
      const value = this.drawn[index]
      handle.classList.toggle('undrawn', value === null)
      handle.setAttribute('transform', `translate(${this.at(this.values[index])} ${this.down(value ?? middle)})`)
      handle.ariaValueNow = String(this.y.ariaValue(value ?? middle))
      handle.ariaValueText = value === null ? 'not drawn yet' : this.amount(value)
    })
    this.shade()
    this.name()
  }

  // The area between the axes.
  get area() {
    const {left, right, top, bottom} = MARGIN
    return this.frame?.inner ?? {left, right: this.width - right, top, bottom: this.height - bottom}
  }

  // The figure has axes of its own.
  guides() {
    const {top, bottom} = this.area
    return this.values.map(value =>
      make('line', {class: 'guide', x1: this.at(value), x2: this.at(value), y1: top, y2: bottom}),
    )
  }

  // The drawn curve goes into the figure, whose images and downloads then contain it.
  keep() {
    const points = this.values.map((x, index) => ({x, y: this.drawn[index]})).filter(({y}) => y !== null)
    this.frame?.keep(/** @type {Point[]} */ (points))
  }

  axesAndGrid() {
    if (this.frame) return this.grid.replaceChildren(...(this.shown ? [] : this.guides()))
    const {across, up} = this.axes
    const bottom = this.height - MARGIN.bottom,
      right = this.width - MARGIN.right
    const parts = this.y
      .ticks()
      .flatMap(value => [
        make('line', {x1: MARGIN.left, x2: right, y1: this.down(value), y2: this.down(value)}),
        make(
          'text',
          {x: MARGIN.left - 9, y: this.down(value) + 4, 'text-anchor': 'end'},
          tickText(value, up.format, up.logarithmic),
        ),
      ])
    let free = -Infinity
    for (const value of this.values) {
      const x = this.at(value),
        text = tick(value, across.logarithmic)
      parts.push(make('line', {class: 'guide', x1: x, x2: x, y1: MARGIN.top, y2: bottom}))
      const half = 4 * text.length
      if (x - half < free) continue
      parts.push(make('text', {x, y: bottom + 19, 'text-anchor': 'middle'}, text))
      free = x + half + 4
    }
    const unit = up.unit ? `, ${up.unit}` : ''
    parts.push(make('line', {class: 'base', x1: MARGIN.left, x2: right, y1: bottom, y2: bottom}))
    parts.push(make('text', {class: 'axis', x: 2, y: 16}, `${up.label}${unit}`))
    parts.push(make('text', {class: 'axis', x: right, y: this.height - 6, 'text-anchor': 'end'}, `${across.label} →`))
    this.grid.replaceChildren(...parts)
  }

  // Fills the area between the curves, where both are known.
  shade() {
    const both =
      this.shown && !this.frame
        ? this.values
            .map((_value, index) => index)
            .filter(index => this.drawn[index] !== null && this.truth[index] !== null)
        : []
    const point = (/** @type {Curve} */ values, /** @type {number} */ index) =>
      `${this.at(this.values[index]).toFixed(1)} ${this.down(/** @type {number} */ (values[index])).toFixed(1)}`
    const there = both.map(index => point(this.drawn, index)),
      back = both.map(index => point(this.truth, index)).reverse()
    this.between.setAttribute('d', both.length > 1 ? `M${[...there, ...back].join('L')}Z` : '')
  }

  // Labels each curve at its end: the upper one above and the lower one below, if there is room.
  name() {
    const last = (/** @type {Curve} */ values) => values.findLastIndex(value => value !== null)
    /** @type {[Curve, SVGElement][]} */
    const curves = [
      [this.drawn, this.labels.yours],
      [this.truth, this.labels.truth],
    ]
    const ends = curves
      .map(([values, label]) => {
        const at = this.shown && !this.frame ? last(values) : -1
        label.toggleAttribute('hidden', at < 0)
        const y = this.down(values[at] ?? 0)
        return at < 0 ? null : {label, x: this.at(this.values[at]) + 6, y, to: y}
      })
      .filter(end => end !== null)
      .sort((a, b) => a.y - b.y)
    const bottom = this.height - MARGIN.bottom
    const [upper, lower] = ends
    if (lower) lower.to = lower.y + 22 < bottom ? lower.y + 22 : lower.y - 12
    if (upper) upper.to = Math.min(Math.max(upper.y - 12, MARGIN.top - 4), lower ? lower.to - 18 : Infinity)
    for (const {label, x, to} of ends) {
      label.setAttribute('x', String(x))
      label.setAttribute('y', String(to))
    }
  }

  // Shows the actual curve next to the drawn one, which can no longer be changed.
  reveal() {
    if (this.shown) return
    this.shown = true
    this.y = this.y.holding(this.truth.filter(value => value !== null))
    this.svg.classList.add('revealed')
    this.svg.role = 'img'
    this.svg.ariaLabel = this.described()
    for (const handle of this.handles) {
      handle.removeAttribute('tabindex')
      handle.setAttribute('aria-hidden', 'true')
      handle.toggleAttribute('hidden', Boolean(this.frame) || handle.classList.contains('undrawn'))
    }
    this.render()
  }

  described() {
    const {across, up} = this.axes
    const listed = (/** @type {Curve} */ values) =>
      values
        .map((value, index) =>
          value === null ? '' : `${this.amount(value)} at ${across.label} ${number(this.values[index], 6)}`,
        )
        .filter(Boolean)
        .join(', ')
    const [yours, truth] = [listed(this.drawn), listed(this.truth)]
    return `${up.label} against ${across.label}. ${yours ? `You drew ${yours}. ` : ''}${truth ? `Actual curve: ${truth}.` : 'The actual curve is still being computed.'}`
  }
}

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

// How far two curves are apart, in words; `close` if that is small on this scale.
/** @param {number[]} drawn @param {Curve} truth @param {Axes} axes */
export function distance(drawn, truth, {across, up}) {
  const indices = truth.map((_value, index) => index).filter(index => truth[index] !== null)
  if (!indices.length)
    return {close: false, text: 'The actual curve is still being computed; reload the page in a minute.'}
  const scale = new Scale(up.low, up.high, up.logarithmic)
  const apart = (/** @type {number} */ index) =>
    Math.abs(
      scale.inner(drawn[index]) -
        scale.inner(Math.max(/** @type {number} */ (truth[index]), up.logarithmic ? up.low : -Infinity)),
    )
  const mean = indices.reduce((sum, index) => sum + apart(index), 0) / indices.length
  const worst = indices.reduce((a, b) => (apart(b) > apart(a) ? b : a))
  const amount = (/** @type {number} */ value) => `${formatted(value, up.format)} ${up.unit}`.trim()
  const far = up.logarithmic
    ? `by a factor of ${number(Math.exp(mean), 2)}`
    : up.format === '%'
      ? `${number(100 * mean, 2)} percentage points`
      : amount(mean)
  const close = mean < 0.07 * (scale.inner(up.high) - scale.inner(up.low))
  const where = `farthest at ${across.label} ${number(across.values[worst], 6)}, where you drew ${amount(drawn[worst])} and it is ${amount(/** @type {number} */ (truth[worst]))}`
  return {
    close,
    text: `${close ? 'Close. ' : ''}On average you were off ${up.logarithmic ? '' : 'by '}${far}, ${where}.`,
  }
}
