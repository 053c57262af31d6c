// The button that starts and stops playing in a figure. It is above the picture, in the element that Bokeh creates for
// it.
const LOOKS = {
  position: 'absolute',
  left: '4px',
  bottom: '4px',
  minWidth: '42px',
  height: '42px',
  padding: '0 10px',
  cursor: 'pointer',
  border: '1px solid var(--edge)',
  borderRadius: '6px',
  background: 'var(--panel)',
  color: 'var(--ink)',
  font: '600 calc(15px * var(--text, 1)) var(--sans)',
}

const FOCUS = new CSSStyleSheet()
FOCUS.replaceSync('button:focus-visible { outline: 2.5px solid var(--accent); outline-offset: 2px }')

export class PlayButton {
  // `words` label what it starts, and `pressed()` starts or stops it.
  /** @param {BokehModel} figure @param {string} words @param {() => void} pressed */
  constructor(figure, words, pressed) {
    this.figure = figure
    this.words = words
    this.element = Object.assign(document.createElement('button'), {type: 'button', className: 'play'})
    Object.assign(this.element.style, LOOKS)
    this.element.addEventListener('click', pressed)
    this.say(false)
  }

  // Bokeh may recreate its element.
  attach() {
    const home = Bokeh.index.find_one_by_id(this.figure.id)?.shadow_el
    if (!home || this.element.parentNode === home) return
    home.adoptedStyleSheets = [...home.adoptedStyleSheets, FOCUS]
    home.append(this.element)
  }

  /** @param {boolean} playing */
  say(playing) {
    this.element.textContent = playing ? '❚❚' : '▶'
    this.element.ariaLabel = playing ? 'Pause here' : this.words
    this.element.title = this.element.ariaLabel
  }

  /** @param {Event} event */
  pressedBy(event) {
    return event.composedPath().includes(this.element)
  }

  remove() {
    this.element.remove()
  }
}
