// Shows the answers of a room to one prediction: as bars, rank tallies, a dot plot, or all curves overlaid.
import {median} from '../exercises/drawing.js'
import {number, withUnit} from '../shared/numbers.js'
import {Scale} from '../shared/scale.js'
import {count, draw, make} from './parts.js'

const [WIDEST, NARROWEST, HIGH, EDGE, DOT] = [560, 240, 120, 24, 5]
const MANY = 50 // times the smallest answer: from this ratio on, the axis is logarithmic

// `solved`: whether the true answer may be marked.
/** @param {HTMLElement} host @param {import('../exercises/predictions.js').Prediction} prediction @param {any[]} answers @param {boolean} solved */
export function distribution(host, prediction, answers, solved) {
  const {section, truth} = prediction
  const parts = answers.length
    ? KINDS[section.dataset.type](section, answers, solved ? truth : undefined)
    : [make('p', {textContent: 'There is no answer yet.'})]
  host.replaceChildren(...parts)
}

/** @type {Record<string, (section: HTMLElement, answers: any[], truth: any) => Element[]>} */
const KINDS = {
  choice(section, answers, truth) {
    const options = [...section.querySelectorAll('.option')].map(
      element => /** @type {[number, HTMLElement]} */ ([Number(element.querySelector('input').value), element]),
    )
    return [
      bars(
        options.map(([value, option]) => ({
          words: copy(option),
          count: answers.filter(answer => answer === value).length,
          right: value === truth,
        })),
        answers.length,
      ),
    ]
  },

  confidence(_section, answers, truth) {
    return [
      bars(
        ['yes', 'no'].map(value => {
          const sure = answers.filter(answer => answer.said === value).map(answer => answer.sure)
          const mean = Math.round(sure.reduce((sum, percent) => sum + percent, 0) / sure.length)
          const words = make('span', {
            textContent: `${value === 'yes' ? 'Yes' : 'No'}${sure.length ? `, ${mean}% sure on average` : ''}`,
          })
          return {words, count: sure.length, right: value === truth}
        }),
        answers.length,
      ),
    ]
  },

  rank(section, answers, truth) {
    const items = [...section.querySelectorAll('[data-option]')].sort(
      (a, b) => Number(a.dataset.option) - Number(b.dataset.option),
    )
    const head = make(
      'tr',
      {},
      make('th', {scope: 'col', textContent: 'Placed'}),
      ...items.map((_item, place) => make('th', {scope: 'col', textContent: place + 1})),
    )
    const rows = items.map(item => {
      const option = Number(item.dataset.option)
      const cells = items.map((_each, place) => {
        const votes = answers.filter(order => order[place] === option).length
        const right = truth?.[place] === option
        const cell = make('td', {textContent: `${votes || '·'}${right ? ' ✓' : ''}`})
        cell.style.setProperty('--share', String(votes / answers.length))
        if (right) cell.dataset.right = ''
        return cell
      })
      return make('tr', {}, make('th', {scope: 'row'}, copy(item)), ...cells)
    })
    const table = make('table', {className: 'places-tally'}, make('thead', {}, head), make('tbody', {}, ...rows))
    return [
      make('div', {className: 'table'}, table),
      make('p', {className: 'small', textContent: 'How many have put it there.'}),
    ]
  },

  number(section, answers, truth) {
    const {unit} = section.querySelector('.number-field').dataset
    const amount = (/** @type {number} */ value) => withUnit(value, unit)
    const sorted = [...answers].sort((a, b) => a - b)
    const all = Number.isFinite(truth) ? [...sorted, truth].sort((a, b) => a - b) : sorted
    const spread = all.at(-1) > all[0],
      logarithmic = spread && all[0] > 0 && all.at(-1) / all[0] > MANY
    const scale = spread ? new Scale(all[0], all.at(-1), logarithmic) : new Scale(all[0] - 1, all[0] + 1, false)
    const words = `${count(answers.length, 'answer')}, from ${amount(sorted[0])} to ${amount(sorted.at(-1))}; the middle one is ${amount(median(answers))}.`
    return [
      strip(sorted, scale, amount, truth, words, section.querySelector('fieldset').clientWidth),
      make('p', {className: 'small', textContent: words}),
    ]
  },

  draw(section, answers) {
    const board = /** @type {import('../exercises/drawing.js').Board} */ (section.board)
    board.crowd = answers
    const middle = board.middle.map((value, index) => `${board.amount(value)} at ${number(board.values[index], 6)}`)
    return [
      make('p', {
        className: 'small',
        textContent: `${count(answers.length, 'curve')} of the room, in the plot; the thick one runs through the middle of them.`,
      }),
      make('p', {className: 'hidden', textContent: `In the middle: ${middle.join(', ')}.`}),
    ]
  },
}

/** @param {HTMLElement} option */
function copy(option) {
  const words = /** @type {HTMLElement} */ (option.querySelector('.words').cloneNode(true))
  words.removeAttribute('id')
  return words
}

/** @param {{words: HTMLElement, count: number, right: boolean}[]} rows @param {number} all */
function bars(rows, all) {
  return make(
    'ol',
    {className: 'tally'},
    ...rows.map(({words, count: votes, right}) => {
      const row = make(
        'li',
        {},
        words,
        make('span', {className: 'bar', ariaHidden: 'true'}),
        make('span', {className: 'figures', textContent: `${votes}${right ? ' ✓' : ''}`}),
      )
      row.style.setProperty('--share', String(votes / all))
      if (right) row.dataset.right = ''
      return row
    }),
  )
}

// A dot for each answer, stacked where they are close; dots shrink until all fit.
/** @param {number[]} sorted @param {Scale} scale @param {(value: number) => string} amount @param {number | undefined} truth @param {string} words @param {number} room */
function strip(sorted, scale, amount, truth, words, room) {
  const wide = Math.min(Math.max(room, NARROWEST), WIDEST),
    inside = wide - 2 * EDGE,
    floor = HIGH - 30
  const columns = new Map()
  for (const value of sorted) {
    const column = Math.round((scale.share(value) * inside) / (2 * DOT))
    columns.set(column, (columns.get(column) ?? 0) + 1)
  }
  const apart = Math.min(2 * DOT, (floor - 8) / Math.max(...columns.values()))
  const dots = [...columns].flatMap(([column, high]) =>
    Array.from({length: high}, (_dot, index) =>
      draw('circle', {cx: EDGE + column * 2 * DOT, cy: floor - DOT - index * apart, r: DOT - 0.5}),
    ),
  )
  const text = (/** @type {number} */ value, /** @type {string} */ anchor) =>
    draw('text', {x: EDGE + scale.share(value) * inside, y: HIGH - 8, 'text-anchor': anchor}, amount(value))
  const hasTruth = truth !== undefined && Number.isFinite(truth)
  const svg = draw('svg', {class: 'strip', viewBox: `0 0 ${wide} ${HIGH}`, role: 'img', 'aria-label': words})
  const ends =
    scale.high - scale.low > 0 && sorted[sorted.length - 1] > sorted[0]
      ? [text(scale.low, 'start'), text(scale.high, 'end')]
      : [text(sorted[0], 'middle')]
  svg.append(draw('line', {class: 'base', x1: EDGE, x2: wide - EDGE, y1: floor, y2: floor}), ...dots, ...ends)
  if (hasTruth) {
    const x = EDGE + scale.share(truth) * inside
    svg.append(
      draw('line', {class: 'truth-mark', x1: x, x2: x, y1: 2, y2: floor + 6}),
      draw('text', {class: 'truth-mark', x: Math.min(x + 5, wide - 60), y: 12}, `✓ ${amount(truth)}`),
    )
  }
  return svg
}
