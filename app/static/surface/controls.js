// The element with the picture of a surface: handles pointers, keys and buttons, and describes it for readers who
// cannot see it. One finger up or down scrolls the page, and so does the wheel.
const STEP = 0.13 // radians
const CLOSER = 1.15
const DRAG = 0.008 // radians per pixel
const SLIP = 4 // pixels that the pointer may move during a tap

/** @type {Record<string, Partial<import('./camera.js').Camera> | null>} */
const MOVES = {
  ArrowLeft: {turn: -STEP},
  ArrowRight: {turn: STEP},
  ArrowUp: {tilt: STEP},
  ArrowDown: {tilt: -STEP},
  '+': {zoom: CLOSER},
  '=': {zoom: CLOSER},
  '-': {zoom: 1 / CLOSER},
  Home: null,
}
/** @type {Record<string, [across: number, along: number]>} */
const STEPS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}
/** @type {[text: string, label: string, by: Partial<import('./camera.js').Camera> | null][]} */
const BUTTONS = [
  ['←', 'Turn left', MOVES.ArrowLeft],
  ['→', 'Turn right', MOVES.ArrowRight],
  ['↑', 'Tilt up', MOVES.ArrowUp],
  ['↓', 'Tilt down', MOVES.ArrowDown],
  ['+', 'Closer', MOVES['+']],
  ['−', 'Farther', MOVES['-']],
  ['⟲', 'First view', null],
]
const SHORT = 'Drag to turn, point to read a height.'
const HINT =
  'Drag or use the arrow keys to turn, + and − to zoom, Home to go back. Point, tap, or hold Shift with the arrow keys to read a grid point.'
const HATCHED = 'Over a hatched floor no loss is drawn: it is not finite, not computed, or beyond the axis.'

/** @type {<K extends keyof HTMLElementTagNameMap>(name: K, properties: object, ...children: (Node | string)[]) => HTMLElementTagNameMap[K]} */
const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

export class Controls {
  /** @param {import('./index.js').Surface} surface */
  constructor(surface) {
    this.surface = surface
    this.canvas = make('canvas', {})
    this.view = make('div', {className: 'view', role: 'img', ariaLabel: surface.title, tabIndex: 0}, this.canvas)
    this.output = make('output', {textContent: SHORT})
    const buttons = BUTTONS.map(([text, label, by]) =>
      make('button', {
        type: 'button',
        textContent: text,
        ariaLabel: label,
        title: label,
        onclick: () => surface.turn(by),
      }),
    )
    const set = () => surface.turning.set(!surface.turning.on)
    this.itself = make('button', {type: 'button', className: 'word itself', onclick: set})
    const moves = make('span', {className: 'moves', hidden: true}, ...buttons)
    const camera = make('button', {
      ...{type: 'button', className: 'word', textContent: 'Camera', ariaExpanded: 'false'},
      onclick: () => {
        moves.hidden = !moves.hidden
        camera.ariaExpanded = String(!moves.hidden)
      },
    })
    this.hatched = make('p', {className: 'hatched', textContent: HATCHED, hidden: true})
    const hint = make('p', {className: 'hint', id: 'hint', textContent: HINT})
    this.view.setAttribute('aria-describedby', 'hint')
    this.view.append(this.hatched)
    const sheet = make('link', {rel: 'stylesheet', href: new URL('./surface.css', import.meta.url)})
    this.bar = make('div', {className: 'bar'}, this.output, this.itself, camera, moves)
    this.root = make('div', {className: 'surface'}, sheet, this.view, this.bar, hint)
    this.view.addEventListener('keydown', event => this.key(event))
    for (const kind of /** @type {const} */ (['pointerdown', 'pointermove', 'pointerup', 'pointercancel']))
      this.view.addEventListener(kind, event => this[kind](event))
    for (const [kind, held] of /** @type {['pointerenter' | 'pointerleave', boolean][]} */ ([
      ['pointerenter', true],
      ['pointerleave', false],
    ]))
      this.view.addEventListener(kind, event => {
        if (event.pointerType === 'mouse') surface.turning.hold(held)
      })
  }

  // Shows the state of the button for automatic turning.
  /** @param {boolean} on */
  turns(on) {
    this.itself.textContent = on ? 'Stop turning' : 'Turn by itself'
  }

  // Without results there is nothing to turn or to read.
  /** @param {boolean} blank */
  blank(blank) {
    this.bar.classList.toggle('blank', blank)
  }

  /** @param {string} sentence @param {boolean} holes */
  say(sentence, holes) {
    this.view.ariaLabel = `${this.surface.title}. ${sentence}`
    this.hatched.hidden = !holes
  }

  /** @param {string} words */
  tell(words) {
    if (this.output.textContent !== (words || SHORT)) this.output.textContent = words || SHORT
  }

  /** @param {number} width @param {number} height @param {number} ratio */
  size(width, height, ratio) {
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
    if (this.canvas.width === wide && this.canvas.height === high) return
    Object.assign(this.canvas, {width: wide, height: high})
    Object.assign(this.canvas.style, {width: `${width}px`, height: `${height}px`})
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = event.shiftKey && STEPS[event.key]
    if (step) this.surface.step(...step)
    else if (event.key in MOVES) this.surface.turn(MOVES[event.key])
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  /** @param {PointerEvent} event @returns {[number, number]} */
  at(event) {
    const box = this.canvas.getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }

  /** @param {PointerEvent} event */
  pointerdown(event) {
    if (event.button !== 0 || !event.isPrimary) return
    this.surface.turning.set(false)
    this.drag = {x: event.clientX, y: event.clientY, far: 0}
    this.view.setPointerCapture(event.pointerId)
  }

  /** @param {PointerEvent} event */
  pointermove(event) {
    if (!event.isPrimary) return
    if (!this.drag) {
      if (event.pointerType === 'mouse') this.surface.point(...this.at(event))
      return
    }
    const [x, y] = [event.clientX - this.drag.x, event.clientY - this.drag.y]
    this.drag.far += Math.hypot(x, y)
    Object.assign(this.drag, {x: event.clientX, y: event.clientY})
    if (this.drag.far > SLIP) this.surface.turn({turn: -x * DRAG, tilt: event.pointerType === 'mouse' ? y * DRAG : 0})
  }

  /** @param {PointerEvent} event */
  pointerup(event) {
    if (this.drag && this.drag.far <= SLIP) this.surface.point(...this.at(event))
    this.drag = null
  }

  /** @param {PointerEvent} _event */
  pointercancel(_event) {
    this.drag = null
  }
}
