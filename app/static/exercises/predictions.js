// Predictions: stored in this browser when the reader commits, then compared with the truth.
import * as store from '../shared/store.js'
import {Board, distance} from './drawing.js'
import {Marker} from './marker.js'
import {number, withUnit} from '../shared/numbers.js'
import {Choice, Ranking} from './options.js'
import {inRoom} from '../shared/room-member.js'

/**
 * @typedef {object} Compared an answer beside the truth
 * @property {boolean} right
 * @property {string} text
 */
/**
 * @typedef {object} Kind how one kind of prediction is answered; answers and truth have a form of its own
 * @property {(section: HTMLElement, changed: () => void) => void} [begin]
 * @property {(section: HTMLElement) => any} read null while the answer is incomplete
 * @property {(section: HTMLElement, said: any) => boolean} fits
 * @property {(section: HTMLElement, said: any) => void} show
 * @property {(section: HTMLElement, said: any, truth: any) => Compared} compare
 * @property {(said: any, right: boolean) => any} [keep]
 * @property {(section: HTMLElement, said: any, truth: any) => void} [reveal]
 * @property {(section: HTMLElement, truth: any) => void} [skip] shows the truth without an answer
 */
/**
 * @typedef {object} Prediction what a room may do with one
 * @property {HTMLElement} section
 * @property {any} truth
 * @property {(said: any) => void} solve
 * @property {((said: any) => boolean) | null} withhold says whether the result has to wait
 * @property {(said: any) => boolean} fits
 * @property {(said: any) => void} show
 * @property {(locked: boolean) => void} lock
 * @property {() => void} skip
 * @property {() => void} focus gives the focus to what came of the answer
 */

const option = (/** @type {HTMLElement} */ section, /** @type {unknown} */ value) =>
  section.querySelector(`.option:has([value="${value}"])`)
const words = (/** @type {HTMLElement} */ element) => element.querySelector('.words').textContent.trim()

/** @param {HTMLElement} section @param {unknown} truth */
function tick(section, truth) {
  option(section, truth).dataset.mark = '✓'
}

/** @param {HTMLElement} section @param {unknown} answer @param {unknown} truth */
function marked(section, answer, truth) {
  option(section, truth).dataset.mark = answer === truth ? '✓ your answer' : '✓'
  if (answer !== truth) option(section, answer).dataset.mark = 'your answer'
}

// The percentage beside its slider; without an argument, the one that the slider is at.
/** @param {HTMLElement} section @param {number} [sure] */
function showSure(section, sure) {
  const slider = section.querySelector('.confidence input')
  if (sure !== undefined) slider.value = String(sure)
  slider.ariaValueText = section.querySelector('.confidence output').textContent = `${slider.value}%`
}

/** A number of a prediction with its unit. @param {HTMLElement} section @param {number} value */
function amount(section, value) {
  const {unit} = section.querySelector('.number-field').dataset
  return withUnit(value, unit)
}

// The number that `number` writes, so that a difference is that of the numbers on the page.
const asWritten = (/** @type {number} */ value) => (Number.isInteger(value) ? value : Number(value.toPrecision(3)))

const rankingOf = (/** @type {HTMLElement} */ section) => /** @type {Ranking} */ (section.ranking)
const boardOf = (/** @type {HTMLElement} */ section) => /** @type {Board} */ (section.board)

// How each kind reads the reader's answer (null while it is incomplete), validates and shows a stored one, compares it
// with the truth, and reveals both side by side.
/** @type {Record<string, Kind>} */
export const KINDS = {
  choice: {
    begin: section => {
      if (section.querySelector('[data-row]')) section.choice = new Choice(section)
    },
    read: section => Number(section.querySelector('input:checked')?.value) || null,
    fits: (section, answer) => Number.isInteger(answer) && option(section, answer) !== null,
    show: (section, answer) => {
      section.querySelector(`input[value="${answer}"]`).checked = true
      section.choice?.mark()
    },
    compare: (section, answer, truth) =>
      answer === truth
        ? {right: true, text: `You predicted it: ${words(option(section, truth))}.`}
        : {right: false, text: `You said: ${words(option(section, answer))}. It is: ${words(option(section, truth))}.`},
    reveal: (section, answer, truth) => {
      marked(section, answer, truth)
      section.choice?.reveal()
    },
    skip: tick,
  },
  rank: {
    begin: (section, changed) => {
      section.ranking = new Ranking(section, changed)
    },
    read: section => rankingOf(section).order,
    fits: (section, answer) =>
      Array.isArray(answer) && String([...answer].sort()) === String([...rankingOf(section).options].sort()),
    show: (section, answer) => {
      rankingOf(section).order = answer
    },
    compare: (section, /** @type {number[]} */ answer, /** @type {number[]} */ truth) => {
      const pairs = truth.flatMap((a, i) => truth.slice(i + 1).map(b => [a, b]))
      const wrong = pairs.filter(([a, b]) => answer.indexOf(a) > answer.indexOf(b)).length
      const list = truth.map(number => words(section.querySelector(`[data-option="${number}"]`))).join(', then ')
      return wrong
        ? {
            right: false,
            text: `The true order: ${list}. Your order has ${wrong} of ${pairs.length} pairs the other way around.`,
          }
        : {right: true, text: 'You predicted this order.'}
    },
    reveal: (section, _said, truth) => rankingOf(section).fix(truth),
    skip: (section, truth) => rankingOf(section).tell(truth),
  },
  number: {
    begin: section => {
      if (section.querySelector('[data-marker]'))
        section.marker = new Marker(section, JSON.parse(section.dataset.answer))
    },
    read: section => {
      const {valueAsNumber: value, validity} = section.querySelector('input')
      return Number.isFinite(value) && validity.valid ? value : null
    },
    fits: (section, answer) => {
      const {min, max} = section.querySelector('input')
      return Number.isFinite(answer) && !(min && answer < Number(min)) && !(max && answer > Number(max))
    },
    show: (section, answer) => {
      section.querySelector('input').value = answer
      section.marker?.render()
    },
    reveal: section => section.marker?.reveal(),
    skip: (section, truth) => {
      section.marker?.reveal()
      if (!section.marker && truth !== null)
        section.querySelector('.yours').textContent = `It is ${amount(section, truth)}.`
    },
    compare: (section, answer, truth) => {
      const {unit} = section.querySelector('.number-field').dataset
      if (truth === null)
        return {
          right: false,
          text: `You said ${amount(section, answer)}. The answer is still being computed; reload the page in a minute.`,
        }
      const both = `You said ${amount(section, answer)}; it is ${amount(section, truth)}.`
      const factor = answer / truth
      if (answer === truth || Math.abs(factor - 1) < 0.1) return {right: true, text: `${both} Close.`}
      const times = Math.max(factor, 1 / factor)
      const off = number(Math.abs(asWritten(answer) - asWritten(truth)))
      const points = unit === '%' ? ` percentage point${off === '1' ? '' : 's'}` : ''
      if (!(factor > 0) || times < 1.5) return {right: false, text: `${both} You were off by ${off}${points}.`}
      return {right: false, text: `${both} That is ${number(times, 2)} times too ${factor > 1 ? 'large' : 'small'}.`}
    },
  },
  confidence: {
    read: section => {
      const said = section.querySelector('input:checked')?.value
      return said ? {said, sure: section.querySelector('.confidence input').valueAsNumber} : null
    },
    fits: (_section, answer) => ['yes', 'no'].includes(answer?.said) && Number.isFinite(answer.sure),
    keep: (answer, right) => ({...answer, right}),
    show: (section, {said, sure}) => {
      section.querySelector(`input[value="${said}"]`).checked = true
      showSure(section, sure)
    },
    compare: (_section, {said, sure}, truth) =>
      said === truth
        ? {right: true, text: `You were ${sure}% sure of “${said}”, and it is “${truth}”.`}
        : {right: false, text: `You were ${sure}% sure of “${said}”. It is “${truth}”.`},
    reveal: (section, {said}, truth) => marked(section, said, truth),
    skip: tick,
  },
  draw: {
    begin: (section, changed) => {
      section.board = new Board(section, changed)
    },
    read: section => (boardOf(section).complete ? [...boardOf(section).drawn] : null),
    fits: (section, answer) =>
      Array.isArray(answer) && answer.length === boardOf(section).values.length && answer.every(Number.isFinite),
    show: (section, answer) => {
      boardOf(section).drawn = [...answer]
      boardOf(section).render()
    },
    compare: (section, answer, truth) => {
      const {close, text} = distance(answer, truth, boardOf(section).axes)
      return {right: close, text}
    },
    reveal: (section, answer) => {
      boardOf(section).reveal()
      addColumn(
        section.querySelector('.curves table'),
        'you drew',
        answer.map((/** @type {number} */ value) => boardOf(section).text(value)),
      )
    },
    skip: section => boardOf(section).reveal(),
  },
}

/** @param {HTMLTableElement} table @param {string} title @param {string[]} cells */
function addColumn(table, title, cells) {
  const head = /** @type {HTMLTableSectionElement} */ (table.tHead)
  head.rows[0].append(Object.assign(document.createElement('th'), {scope: 'col', textContent: title}))
  cells.forEach((text, index) => {
    table.tBodies[0].rows[index].insertCell().textContent = text
  })
}

/** @param {HTMLElement} section */
export function disable(section) {
  const controls = /** @type {NodeListOf<HTMLInputElement | HTMLButtonElement>} */ (
    section.querySelectorAll('fieldset input, fieldset button, .commit button')
  )
  for (const control of controls) control.disabled = true
}

/** @param {HTMLElement} section @param {string} words what the question is, now that its answer is shown */
function name(section, words) {
  if (section.matches('figure *')) return // there the answer takes the place of the question
  const said = /** @type {Text} */ (section.querySelector('.kind').firstChild)
  said.data = words
}

/** @param {HTMLElement} section @param {Kind} kind @param {any} answer @param {Compared} compared */
function reveal(section, kind, answer, {right, text}) {
  const yours = section.querySelector('.yours')
  yours.textContent = text
  yours.dataset.right = String(right)
  section.dataset.done = ''
  name(section, 'Your prediction')
  section.querySelector('details.truth').open = true
  disable(section)
  kind.reveal?.(section, answer, JSON.parse(section.dataset.answer))
}

// Id → a prediction's interface for a room: `withhold(answer)`, if set, says whether the result has to wait.
/** @type {Map<string, Prediction>} */
export const predictions = new Map()

for (const section of document.querySelectorAll('.predict')) {
  const kind = KINDS[section.dataset.type]
  const truth = JSON.parse(section.dataset.answer)
  const commit = section.querySelector('.commit button'),
    details = section.querySelector('details.truth')
  const ready = () => {
    commit.disabled = kind.read(section) === null
  }
  kind.begin?.(section, ready)
  ready()
  section.addEventListener('input', () => {
    if (section.querySelector('.confidence')) showSure(section)
    ready()
  })
  const solve = (/** @type {any} */ answer) => {
    const compared = kind.compare(section, answer, truth)
    reveal(section, kind, answer, compared) // first, because figures ask whether it is done when they hear of the answer
    store.keep(section.id, kind.keep ? kind.keep(answer, compared.right) : answer)
    if (truth !== null) store.outcome(section.id, compared.right)
  }
  /** @type {Prediction} */
  const prediction = {
    section,
    truth,
    solve,
    withhold: null,
    fits: answer => kind.fits(section, answer),
    show: answer => kind.show(section, answer),
    lock: locked => {
      section.querySelector('fieldset').inert = commit.disabled = locked
    },
    skip: () => {
      details.open = true
    },
    focus: () => {
      const yours = section.querySelector('.yours')
      yours.tabIndex = -1
      yours.focus({preventScroll: true})
    },
  }
  predictions.set(section.id, prediction)
  commit.addEventListener('click', () => {
    const answer = kind.read(section)
    if (prediction.withhold?.(answer)) return
    solve(answer)
    prediction.focus()
  })
  // However the truth came to be open: a reader who has seen it can no longer predict.
  const seen = () => {
    if (section.matches('[data-done], [data-skipped]')) return
    section.dataset.skipped = ''
    name(section, 'Skipped')
    details.querySelector('summary').textContent = 'The answer' // it keeps the focus
    kind.skip?.(section, truth)
    disable(section)
  }
  details.addEventListener('toggle', seen, {once: true})
  if (!inRoom() && store.showsAll()) prediction.skip()
  document.addEventListener('reveal', prediction.skip)
  // In a room everybody starts fresh: answers given at home would give the result away.
  const before = inRoom() ? undefined : store.answer(section.id)
  if (before !== undefined && kind.fits(section, before)) {
    kind.show(section, before)
    const compared = kind.compare(section, before, truth)
    reveal(section, kind, before, compared)
    if (truth !== null) store.outcome(section.id, compared.right)
  }
  if (details.open) seen() // it may have been opened before there was a listener
}
