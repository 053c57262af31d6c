// A question of another page, in a form of its own: answered here, without a word to what its page keeps.
import '../arrow-keys.js'
import {number, withUnit} from '../../shared/numbers.js'
import {KINDS, disable} from '../predictions.js'

/**
 * @typedef {object} Question
 * @property {string} name "page.exercise"
 * @property {HTMLTemplateElement} template
 */
/** @typedef {(right: boolean, words: string) => void} Answered */

/** @returns {Map<string, HTMLTemplateElement>} */
export const questions = () =>
  new Map(
    [...document.querySelectorAll('template[data-exercise]')].map(template => [
      `${template.dataset.page}.${template.dataset.exercise}`,
      /** @type {HTMLTemplateElement} */ (template),
    ]),
  )

const copy = (/** @type {HTMLTemplateElement} */ template) =>
  /** @type {DocumentFragment} */ (document.importNode(template.content, true))

// Its parts, ready for the page. `section` says to `answered`, once, whether the answer was right.
/** @param {HTMLTemplateElement} template @param {Answered} answered */
export function ask(template, answered) {
  const parts = copy(template)
  const section = parts.querySelector('.exercise')
  section.querySelector('.kind').textContent = 'Do you remember?'
  const begin = section.classList.contains('quiz') ? quiz : prediction
  return {
    section,
    lead: parts.querySelector('.lead'),
    origin: parts.querySelector('.origin a'),
    see: parts.querySelector('.see a'),
    begin: () => begin(section, answered),
  }
}

/** @param {HTMLElement} section @param {Answered} answered */
function quiz(section, answered) {
  section.addEventListener(
    'change',
    event => {
      const input = /** @type {HTMLInputElement} */ (event.target)
      const chosen = input.closest('.answer'),
        truth = section.querySelector('.answer.right')
      for (const answer of section.querySelectorAll('.answer')) {
        answer.querySelector('input').disabled = true
        answer.toggleAttribute('data-shown', answer === chosen || answer === truth)
      }
      const right = chosen === truth
      const reason = /** @type {HTMLElement} */ (truth.querySelector('.because')).textContent.replace(/^Right\.\s*/, '')
      const said = truth.querySelector('.words').textContent.trim().replace(/[.…]$/, '')
      const words = right ? `Right. ${reason}` : `${said.startsWith('It ') ? '' : 'It is: '}${said}. ${reason}`
      answered(right, words)
    },
    {once: true},
  )
}

/** @param {HTMLElement} section @param {Answered} answered */
function prediction(section, answered) {
  const kind = KINDS[section.dataset.type]
  const truth = JSON.parse(section.dataset.answer)
  const commit = section.querySelector('.commit button'),
    details = section.querySelector('details.truth'),
    skip = details.querySelector('summary')
  const ready = () => {
    commit.disabled = kind.read(section) === null
  }
  commit.textContent = 'This is my answer'
  skip.textContent = 'I do not know'
  kind.begin?.(section, ready)
  ready()
  section.addEventListener('input', () => {
    const sure = section.querySelector('.confidence input')
    if (sure) section.querySelector('output').textContent = `${sure.value}%`
    ready()
  })
  let open = true
  const end = (/** @type {boolean} */ right, /** @type {string} */ text) => {
    open = false
    section.dataset.done = ''
    details.open = true
    disable(section)
    answered(right, text)
  }
  commit.addEventListener('click', () => {
    const said = kind.read(section)
    if (!open || said === null) return
    const {right, text} = kind.compare(section, said, truth)
    end(right, /^You predicted (it:|this order)/.test(text) ? 'Right.' : text)
    kind.reveal?.(section, said, truth)
    const yours = section.querySelector('.yours')
    yours.textContent = text.replace('You predicted', 'You knew')
    yours.dataset.right = String(right)
  })
  skip.addEventListener('click', event => {
    event.preventDefault()
    if (!open) return
    end(false, 'Read the answer.')
    kind.skip?.(section, truth)
  })
}

const inner = (/** @type {Element | null} */ element) => element?.innerHTML.trim() ?? ''
const list = (/** @type {string[]} */ items, ordered = false) => {
  const tag = ordered ? 'ol' : 'ul'
  return `<${tag}>${items.map(item => `<li>${item}</li>`).join('')}</${tag}>`
}

// A question and its answer as HTML that needs no scripts, with links to the site.
/** @param {string} name @param {HTMLTemplateElement} template @returns {import('./files.js').Note} */
export function note(name, template) {
  const parts = copy(template)
  for (const link of parts.querySelectorAll('a[href]'))
    link.setAttribute('href', new URL(link.getAttribute('href') ?? '', location.href).href)
  const section = parts.querySelector('.exercise')
  const options = [...section.querySelectorAll('.words')].map(words => inner(words))
  const unit = section.querySelector('.number-field')?.dataset.unit ?? ''
  const truth = JSON.parse(section.dataset.answer ?? 'null')
  /** @type {Record<string, () => string>} */
  const answers = {
    choice: () => options[truth - 1],
    rank: () =>
      list(
        truth.map((/** @type {number} */ place) => options[place - 1]),
        true,
      ),
    number: () => withUnit(truth, unit, 4),
    confidence: () => (truth === 'yes' ? 'Yes' : 'No'),
    draw: () => inner(section.querySelector('.curves .table')),
  }
  const right = section.querySelector('.answer.right')
  section.querySelector('.curves')?.remove()
  const answer = right ? inner(right.querySelector('.words')) : answers[section.dataset.type]()
  const because = right ? inner(right.querySelector('.because')) : inner(section.querySelector('.truth .because'))
  const scale = section.dataset.type === 'draw' ? section.querySelector('.drawing-board').dataset.axes : ''
  const front = [
    inner(parts.querySelector('.lead')),
    `<p><b>${inner(section.querySelector('legend'))}</b></p>`,
    scale ? `<p>${axesInWords(JSON.parse(scale))}</p>` : options.length ? list(options) : '',
  ]
  const origin = parts.querySelector('.origin')
  return {
    id: name,
    front: front.join(''),
    back: `<div><b>${answer}</b></div>${because}${inner(origin)}`,
    page: template.dataset.page,
  }
}

/** @param {import('../drawing.js').Axes} axes */
const axesInWords = ({across, up}) => {
  const values = across.values.map(value => number(value, 6)).join(', ')
  return `Across: ${across.label} (${values}). Up: ${up.label}${up.unit ? `, ${up.unit}` : ''}.`
}
