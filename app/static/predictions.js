// Predictions: kept in this browser when the reader commits, then set beside the truth.
import * as store from './store.js'

const listed = section => [...section.querySelectorAll('.option')]
const words = (section, number) => listed(section)[number - 1].lastElementChild.textContent.trim()

// How each kind reads what the reader says, shows it again, and compares it with the truth.
const KINDS = {
  choice: {
    read: section => Number(section.querySelector(':checked')?.value) || null,
    show: (section, said) => { section.querySelector(`[value="${said}"]`).checked = true },
    compare: (section, said, truth) => said === truth
      ? {right: true, text: 'You predicted it.'}
      : {right: false, text: `You said: ${words(section, said)}. It is: ${words(section, truth)}.`},
  },
  rank: {
    read: section => section.order?.length === listed(section).length ? [...section.order] : null,
    show: (section, said) => { section.order = [...said]; order(section) },
    compare: (section, said, truth) => {
      const pairs = truth.flatMap((a, i) => truth.slice(i + 1).map(b => [a, b]))
      const wrong = pairs.filter(([a, b]) => said.indexOf(a) > said.indexOf(b)).length
      const list = truth.map(number => words(section, number)).join(', then ')
      return wrong
        ? {right: false, text: `The true order: ${list}. ${wrong} of ${pairs.length} pairs of yours stood the other way round.`}
        : {right: true, text: 'You predicted this order.'}
    },
  },
  number: {
    read: section => { const value = section.querySelector('input').valueAsNumber; return Number.isFinite(value) ? value : null },
    show: (section, said) => { section.querySelector('input').value = said },
    compare: (section, said, truth) => {
      if (truth === null) return {right: false, text: `You said ${said}.`}
      const shown = Number(truth.toPrecision(4))
      const factor = said / truth
      if (Math.abs(factor - 1) < 0.1 || said === truth) return {right: true, text: `You said ${said}; it is ${shown}. Close.`}
      if (!(factor > 0)) return {right: false, text: `You said ${said}; it is ${shown}.`}
      const times = Number(Math.max(factor, 1 / factor).toPrecision(2))
      return {right: false, text: `You said ${said}; it is ${shown}. That is ${times} times too ${factor > 1 ? 'large' : 'small'}.`}
    },
  },
  confidence: {
    read: section => {
      const said = section.querySelector(':checked')?.value
      return said ? {said, sure: section.querySelector('[type=range]').valueAsNumber} : null
    },
    show: (section, {said, sure}) => {
      section.querySelector(`[value="${said}"]`).checked = true
      section.querySelector('[type=range]').value = sure
    },
    compare: (section, {said, sure}, truth) => said === truth
      ? {right: true, text: `You were ${sure}% sure of “${said}”, and it is “${truth}”.`}
      : {right: false, text: `You were ${sure}% sure of “${said}”. It is “${truth}”.`},
  },
}

function order(section) {
  for (const button of listed(section)) {
    const place = section.order.indexOf(Number(button.value)) + 1
    button.ariaPressed = String(place > 0)
    button.querySelector('.place').textContent = place || ''
    button.ariaLabel = place ? `${button.lastElementChild.textContent}, place ${place}` : button.lastElementChild.textContent
  }
}

function reveal(section, kind, said) {
  const {right, text} = kind.compare(section, said, JSON.parse(section.dataset.answer))
  const yours = section.querySelector('.yours')
  yours.textContent = text
  yours.dataset.right = right
  section.dataset.done = ''
  section.querySelector('.truth').open = true
  for (const control of section.querySelectorAll('input, .option, .commit button')) control.disabled = true
}

for (const section of document.querySelectorAll('.predict')) {
  const kind = KINDS[section.dataset.type]
  const commit = section.querySelector('.commit button')
  const ready = () => { commit.disabled = kind.read(section) === null }
  if (section.dataset.type === 'rank') {
    section.order = []
    for (const button of listed(section))
      button.addEventListener('click', () => {
        const number = Number(button.value)
        section.order = section.order.includes(number) ? section.order.filter(each => each !== number) : [...section.order, number]
        order(section)
        ready()
      })
  }
  section.addEventListener('input', () => {
    const sure = section.querySelector('[type=range]')
    if (sure) section.querySelector('output').textContent = `${sure.value}%`
    ready()
  })
  commit.addEventListener('click', () => {
    const said = kind.read(section)
    store.keep(section.id, said)
    reveal(section, kind, said)
  })
  const before = store.answer(section.id)
  if (before !== undefined) {
    kind.show(section, before)
    reveal(section, kind, before)
  }
}
