// Presentation mode: one figure or prediction fills the window, with type that can be read from the last row. Arrow
// keys go to the next, the space bar uncovers it and then trains, Escape exits.
import {paint} from '../../bokeh/paint.js'
import {mainPlots, resize, sizesOf} from './main-plots.js'

const USUAL = 16 // pixels of the page's letters
const [LEAST, MOST] = [0.8, 3]
/** @typedef {import('./main-plots.js').Sizes & {high: number}} Drawn */
/** @type {WeakMap<BokehModel, Drawn>} */
const drawn = new WeakMap() // plots of the main picture → their sizes on the page

const figures = [...document.querySelectorAll('figure.simulation, .predict:not(figure *)')]
const presented = () => document.querySelector('.presented')
/** @param {HTMLElement | null} figure */
const of = figure => window.simulations?.get(figure?.id ?? '')

const STAYS = 'dialog, .room-bar, .cards' // what can be used while a figure fills the window
/** @type {HTMLElement[]} */
const covered = []

// What is behind the figure is out of reach of keys and screen readers, too.
/** @param {HTMLElement | null} figure */
function coverBehind(figure) {
  for (const element of covered.splice(0)) element.inert = false
  for (let at = figure; at && at !== document.body; at = at.parentElement)
    for (const beside of /** @type {Iterable<HTMLElement>} */ (at.parentElement?.children ?? []))
      if (beside !== at && !beside.inert && !beside.matches(STAYS)) covered.push(beside)
  for (const element of covered) element.inert = true
}

// The figure takes the focus, not one of its buttons, which would take the space bar; afterwards its button takes it.
/** @param {HTMLElement | null} figure @param {HTMLElement | null} before */
function focus(figure, before) {
  before?.removeAttribute('tabindex')
  if (figure) figure.tabIndex = -1
  const next = figure ?? before?.querySelector('[data-do="present"], .fills')
  next?.focus({preventScroll: true})
}

/** @param {HTMLElement | null} figure */
function show(figure) {
  const before = presented()
  before?.classList.remove('presented')
  document.documentElement.toggleAttribute('data-present', Boolean(figure))
  figure?.classList.add('presented')
  for (let fold = figure?.closest('details:not([open])'); fold; fold = fold.closest('details:not([open])'))
    fold.open = true
  const address = new URL(location.href)
  if (figure) address.searchParams.set('present', figure.id)
  else address.searchParams.delete('present')
  history.replaceState(null, '', address)
  coverBehind(figure)
  focus(figure, before)
  fit(of(before))
  fit(of(figure))
  ;(figure ?? before)?.scrollIntoView()
}

const viewOf = (/** @type {BokehModel} */ model) => /** @type {BokehView} */ (Bokeh.index.find_one(model))
const drawnAs = (/** @type {BokehModel} */ model) => /** @type {Drawn} */ (drawn.get(model))

// Give the main picture all the remaining height, and enlarge its words accordingly.
/** @param {import('../simulation.js').Simulation | undefined} simulation */
export function fit(simulation) {
  if (!simulation?.document) return
  const {figure} = simulation
  const on = figure.classList.contains('presented')
  // The words of a picture and of its controls grow with the screen, as those around them do.
  const larger = on ? Math.max(parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL, 1) : 1
  figure.style.setProperty('--text', String(larger))
  paint(simulation.document, larger)
  const stage = mainPlots(simulation.kept).filter(model => on || drawn.has(model))
  for (const model of stage) {
    if (drawn.has(model)) continue
    const high = model.height ?? viewOf(model).el.offsetHeight // as high as its width asks for
    drawn.set(model, {...sizesOf(model), high})
  }
  /** @param {number | null} share */
  const stretch = share => {
    for (const model of stage) resize(model, drawnAs(model), share)
  }
  stretch(on ? 1 : null)
  if (!on) {
    for (const model of stage) drawn.delete(model)
    return
  }
  requestAnimationFrame(() => {
    if (!figure.classList.contains('presented')) return // the next one has been asked for
    const rows = new Map() // top of a row → the height of its highest figure
    for (const model of stage) {
      const {offsetTop, offsetHeight} = viewOf(model).el
      if (!offsetHeight) continue // drawn for another kind of screen
      rows.set(offsetTop, Math.max(rows.get(offsetTop) ?? 0, drawnAs(model).high))
    }
    const all = [...rows.values()].reduce((sum, height) => sum + height, 0)
    if (!all) return
    const room = innerHeight - 1 // heights of elements are rounded, and their sum may be a pixel more
    const share = Math.min(Math.max(1 + (room - content(figure)) / all, LEAST), MOST)
    stretch(share)
    // Figures whose height follows from their width may have become too high for that.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const over = content(figure) - room
        if (figure.classList.contains('presented') && over > 0) stretch(Math.max(share - over / all, LEAST))
      }),
    )
  })
}

/** @param {HTMLElement} figure */
function content(figure) {
  const style = getComputedStyle(figure)
  const visible = /** @type {HTMLElement[]} */ ([...figure.children]).filter(
    child => child.offsetParent !== null || getComputedStyle(child).position === 'fixed',
  )
  const bottom = Math.max(
    ...visible.filter(child => !child.classList.contains('back')).map(child => child.offsetTop + child.offsetHeight),
  )
  return bottom + parseFloat(style.paddingBottom)
}

for (const figure of figures) {
  const back = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'back',
    textContent: 'Back to the page',
  })
  back.addEventListener('click', () => show(null))
  figure.append(back)
  for (const change of ['mounted', 'uncovered', 'counted'])
    figure.addEventListener(change, () => {
      if (figure === presented()) fit(of(figure))
    })
}

document.addEventListener('present', ({detail}) => {
  const named = document.getElementById(detail)
  const figure = named?.closest('figure.simulation') ?? named // with a prediction, the figure in which it is asked
  show(figure === presented() ? null : figure)
})

document.addEventListener('keydown', event => {
  const now = presented()
  const {altKey, ctrlKey, metaKey, shiftKey, defaultPrevented} = event
  if (!now || altKey || ctrlKey || metaKey || shiftKey || defaultPrevented) return
  if (document.querySelector('dialog[open], :popover-open')) return // what is open closes first
  const at = /** @type {Element} */ (event.composedPath()[0])
  // A clicker sends Page Up and Page Down; a button that was pressed keeps the focus, and needs neither these nor arrows.
  const takesArrows = at.matches?.('input, select, [role=slider], .noUi-handle')
  const takesPages = takesArrows && !at.matches('[type=radio], [type=checkbox]')
  /** @type {Record<string, number>} */
  const steps = {ArrowRight: 1, ArrowDown: 1, PageDown: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1}
  const step = steps[event.key]
  if (event.key === 'Escape') show(null)
  else if (step && !(event.key.startsWith('Page') ? takesPages : takesArrows))
    show(figures[(figures.indexOf(now) + step + figures.length) % figures.length])
  else if (takesArrows || at.matches?.('button, summary, a')) return
  else if (event.key === ' ' && now.hasAttribute('data-hidden')) of(now)?.uncover()
  else if (event.key === ' ') of(now)?.act(of(now)?.live?.playing ? 'pause' : 'play')
  else return
  event.preventDefault()
})

addEventListener('resize', () => fit(of(presented())))

const id = new URLSearchParams(location.search).get('present')
const first =
  figures.find(figure => figure.id === id || (id && figure.dataset.covered === id)) ??
  (id && figures.find(figure => figure.matches('figure')))
// A link to the figure on a projector leads a phone to the figure, upright or on its side.
if (first && matchMedia('(max-width: 40em), (max-height: 26em)').matches) first.scrollIntoView()
else if (first) show(first)

// On its side, a phone has the button, but upright it would cut the figure off.
const narrow = matchMedia('(max-width: 40em)')
narrow.addEventListener('change', () => {
  if (narrow.matches && presented()) show(null)
})
