// The button that starts and stops playing in a figure. Its place is beside the control that it moves; in the menu, with
// its words, where the figure has Train already; else above the picture.
const WIDE = 42 // pixels
const PLACES = {
  slider: `
    :host { position: relative; box-sizing: border-box; padding-left: ${WIDE + 12}px !important; }
    .play { position: absolute; left: 0; bottom: 0; }`,
  menu: '',
  picture: '.play { position: absolute; left: 4px; bottom: 4px; }',
}
const LOOKS = `
  .play { min-width: ${WIDE}px; height: ${WIDE}px; padding: 0 10px; cursor: pointer; border: 1px solid var(--edge); border-radius: 6px; background: var(--panel); color: var(--ink); font: 600 calc(15px * var(--text, 1)) var(--sans); }
  .play:focus-visible { outline: 2.5px solid var(--accent); outline-offset: 2px; }`

const SHEETS = Object.fromEntries(
  Object.entries(PLACES).map(([place, rules]) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(LOOKS + rules)
    return [place, sheet]
  }),
)

export class PlayButton {
  // `words` label what it starts, `pressed()` starts or stops it, and `parameter` is the control that it moves, if any.
  /** @param {BokehModel} figure @param {string} words @param {() => void} pressed @param {string} [parameter] */
  constructor(figure, words, pressed, parameter) {
    this.words = words
    const models = [...figure.document._all_models.values()]
    const steps = models.find(model => model.css_classes?.includes('steps'))
    const slider = models.find(
      model => parameter && model.tags?.some((/** @type {any} */ tag) => tag?.control === parameter),
    )
    /** @type {[place: string, model: BokehModel]} */
    const where = steps ? ['menu', steps] : slider ? ['slider', slider] : ['picture', figure]
    this.place = where[0]
    this.model = where[1]
    this.element = Object.assign(document.createElement('button'), {type: 'button', className: 'play'})
    this.element.addEventListener('click', pressed)
    this.say(false)
  }

  // Bokeh may recreate its element.
  attach() {
    const home = Bokeh.index.find_one_by_id(this.model.id)?.shadow_el
    if (!home || this.element.parentNode === home) return
    home.adoptedStyleSheets = [...home.adoptedStyleSheets, SHEETS[this.place]]
    // As Tab reaches them: beside a slider the button is the first, in a menu the last.
    if (this.place === 'slider') home.prepend(this.element)
    else home.append(this.element)
  }

  /** @param {boolean} playing */
  say(playing) {
    const words = playing ? 'Pause here' : this.words
    this.element.textContent = `${playing ? '❚❚' : '▶'}${this.place === 'menu' ? ` ${words}` : ''}`
    this.element.ariaLabel = words
    this.element.title = words
  }

  /** @param {Event} event */
  pressedBy(event) {
    return event.composedPath().includes(this.element)
  }

  remove() {
    this.element.remove()
  }
}
