// How often the reader was right at each level of confidence, over all pages.
import * as store from '../shared/store.js'

const BANDS = [
  [50, 65],
  [70, 85],
  [90, 100],
]
const FEWEST = 3

function judged() {
  return Object.values(store.answers())
    .flatMap(page => Object.values(page ?? {}))
    .filter(answer => typeof answer?.right === 'boolean' && Number.isFinite(answer.sure))
}

// [{from, to, answers, right}], without the bands that have no answers; empty while there are too few answers.
export function calibration() {
  const all = judged()
  if (all.length < FEWEST) return []
  return BANDS.map(([from, to]) => {
    const within = all.filter(answer => answer.sure >= from && answer.sure < to + 5)
    return {from, to, answers: within.length, right: within.filter(answer => answer.right).length}
  }).filter(band => band.answers)
}

function show() {
  const place = document.querySelector('.calibration')
  if (!place) return
  const parts = calibration().map(
    ({from, to, answers, right}) => `${from} to ${to}% sure: ${right} of ${answers} right`,
  )
  place.textContent = parts.length ? `How sure you were, and how often you were right: ${parts.join('; ')}.` : ''
}

document.addEventListener('answered', show)
show()
