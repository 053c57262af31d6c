// The place for a reader's own report: it is read here and sent nowhere, and drawn beside a healthy network.
import {LARGEST, NotAReport, read, tooLarge} from './report.js'
import {Scale, tickText} from '../../shared/scale.js'
import {number} from '../../shared/numbers.js'
import {pageLink} from '../../shared/static-copy.js'

/** @typedef {{words: string, additions: number} & Record<string, number[]>} Healthy */

const WIDTH = 420,
  HEIGHT = 230,
  LEFT = 62,
  RIGHT = 10,
  TOP = 10,
  BOTTOM = 26

// Title, whether its scale is logarithmic, and the measures in it, each with its words and color.
/** @type {[title: string, logarithmic: boolean, lines: [name: string, words: string, color: string][]][]} */
const CHARTS = [
  [
    'Stream and branch at each sum (rms)',
    true,
    [
      ['stream', 'stream', 'residual'],
      ['branch', 'branch', 'fourth'],
    ],
  ],
  ['Identity share: what came along the skip', false, [['identity_share', 'share', 'residual']]],
  ['Gradient (rms)', true, [['gradient', 'gradient', 'third']]],
  ['Rise of the loss without the branch', false, [['lesion', 'lesion', 'plain']]],
]

export function begin() {
  for (const place of document.querySelectorAll('.report')) attend(/** @type {HTMLElement} */ (place))
}

/** @param {HTMLElement} place */
function attend(place) {
  const {healthy, schema} = place.dataset
  /** @type {Healthy[]} */
  const networks = JSON.parse(healthy ?? '[]')
  const said = /** @type {HTMLElement} */ (place.querySelector('.said'))
  const drawn = /** @type {HTMLElement} */ (place.querySelector('.drawn'))
  const field = /** @type {HTMLInputElement} */ (place.querySelector('input'))
  let asked = 0
  const take = async (/** @type {File | undefined} */ file) => {
    if (!file) return
    const mine = ++asked
    drawn.replaceChildren()
    drawn.hidden = true
    said.textContent = 'Reading …'
    try {
      if (file.size > LARGEST) throw new NotAReport(tooLarge(file.size))
      const report = read(await file.text(), Number(schema))
      if (mine === asked) show(report, networks, said, drawn)
    } catch (error) {
      if (mine !== asked) return
      said.textContent = error instanceof NotAReport ? error.message : 'This file cannot be read.'
    }
  }
  field.addEventListener('change', () => take(field.files?.[0]))
  // A report that was written again under its name is another one, and would be no change.
  field.addEventListener('click', () => {
    field.value = ''
  })
  for (const type of ['dragenter', 'dragover', 'dragleave', 'drop'])
    place.addEventListener(type, event => {
      event.preventDefault()
      place.classList.toggle('over', type === 'dragenter' || type === 'dragover')
    })
  place.addEventListener('drop', event => {
    const files = event.dataTransfer?.files ?? []
    if (files.length > 1) said.textContent = 'Drop one file at a time.'
    else take(files[0])
  })
}

/** @param {import('./report.js').Report} report @param {Healthy[]} networks @param {HTMLElement} said @param {HTMLElement} drawn */
function show(report, networks, said, drawn) {
  const count = report.names.length
  const beside = nearest(networks, count)
  said.textContent = `${report.model || 'Your network'}: ${count} residual addition${count === 1 ? '' : 's'}. Dashed gray: a healthy network (${beside.words}), stretched to the same width.`
  const findings = report.findings.map(finding => {
    const item = make('li', {})
    item.append(make('strong', {textContent: `${finding.grade}: ${finding.name}.`}), ` ${finding.words}`)
    if (finding.link) item.append(' ', make('a', {href: pageLink(finding.link), textContent: 'See it'}))
    return item
  })
  const words = make('ul', {})
  words.append(...findings)
  const charts = CHARTS.map(chart => panel(report, beside, ...chart)).filter(chart => chart !== null)
  const grid = make('div', {className: 'charts'})
  grid.append(...charts)
  drawn.replaceChildren(...(findings.length ? [words] : [make('p', {textContent: 'No finding.'})]), grid)
  drawn.hidden = false
}

// The healthy network whose depth is the nearest, as a ratio.
/** @param {Healthy[]} networks @param {number} count */
export function nearest(networks, count) {
  const apart = (/** @type {Healthy} */ one) => Math.abs(Math.log(one.additions / count))
  return networks.reduce((best, one) => (apart(one) < apart(best) ? one : best))
}

/** @param {import('./report.js').Report} report @param {Healthy} beside @param {string} title @param {boolean} logarithmic @param {[string, string, string][]} lines */
function panel(report, beside, title, logarithmic, lines) {
  const possible = (/** @type {number | null | undefined} */ value) =>
    typeof value === 'number' && Number.isFinite(value) && (!logarithmic || value > 0)
  const measured = lines.flatMap(([name]) => report.values[name]).filter(possible)
  if (!measured.length) return null
  const values = /** @type {number[]} */ ([...measured, ...lines.flatMap(([name]) => beside[name]).filter(possible)])
  const low = Math.min(...values),
    high = Math.max(...values)
  const flat = low === high ? (logarithmic ? low : 1) : 0
  const scale = logarithmic
    ? new Scale(10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high) + (flat ? 0.01 : 0)), true)
    : new Scale(Math.min(low, 0), Math.max(high, 0) + flat * (high > 0 ? 0 : 1), false)
  const x = (/** @type {number} */ at, /** @type {number} */ count) =>
    LEFT + ((WIDTH - LEFT - RIGHT) * at) / Math.max(count - 1, 1)
  const y = (/** @type {number} */ value) => TOP + (1 - scale.share(value)) * (HEIGHT - TOP - BOTTOM)
  const picture = svg('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    'aria-label': `${title}, yours and a healthy network’s`,
  })
  for (const tick of scale.ticks()) {
    picture.append(svg('line', {class: 'rule', x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick)}))
    const label = svg('text', {x: LEFT - 6, y: y(tick) + 4, 'text-anchor': 'end'})
    label.textContent = tickText(tick, '', logarithmic)
    picture.append(label)
  }
  for (const [name, , color] of lines) {
    const own = report.values[name]
    picture.append(path(beside[name], possible, x, y, 'healthy'), path(own, possible, x, y, color))
    own.forEach((value, at) => {
      const zero = value === 0 && logarithmic
      if (!possible(value) && !zero) return
      const size = {cx: x(at, own.length), cy: zero ? HEIGHT - BOTTOM : y(Number(value)), r: own.length > 200 ? 1 : 2.5}
      const dot = svg('circle', {class: zero ? 'zero' : color, ...size})
      const tip = svg('title', {})
      tip.textContent = `${report.names[at]}: ${number(Number(value))}`
      dot.append(tip)
      picture.append(dot)
    })
  }
  const foot = svg('text', {x: LEFT, y: HEIGHT - 6})
  foot.textContent = 'addition, from input to output'
  picture.append(foot)
  const figure = make('figure', {})
  const caption = make('figcaption', {})
  caption.append(`${title} `)
  if (lines.length > 1)
    for (const [, words, color] of lines) caption.append(make('span', {className: color, textContent: `● ${words} `}))
  figure.append(caption, picture)
  return figure
}

/** @param {(number | null)[]} values @param {(value: number | null) => boolean} possible @param {(at: number, count: number) => number} x @param {(value: number) => number} y @param {string} color */
function path(values, possible, x, y, color) {
  let pen = 'M'
  let d = ''
  values.forEach((value, at) => {
    if (!possible(value)) {
      pen = 'M'
      return
    }
    d += `${pen}${x(at, values.length).toFixed(1)} ${y(Number(value)).toFixed(1)}`
    pen = 'L'
  })
  return svg('path', {class: `line ${color}`, d})
}

/** @param {string} tag @param {Record<string, string | number>} attributes */
function svg(tag, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  return element
}

/** @type {<K extends keyof HTMLElementTagNameMap>(tag: K, values: object) => HTMLElementTagNameMap[K]} */
const make = (tag, values) => Object.assign(document.createElement(tag), values)
