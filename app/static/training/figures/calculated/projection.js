// The figure `projection` without a server: what sims/simulations/shortcuts/projection.py and
// app/views/shortcuts/projection.py do. Python stays the source: tests/twins compares everything that both give.
import {number, percent} from '../../../shared/numbers.js'
import {counted, worded} from '../../frame.js'
import {Picture} from '../../pictures/picture.js'

export const NAME = 'projection'
export const TITLE = 'What a projection costs'

/** @type {Record<string, ParameterKind>} */
export const PARAMETERS = {kind: 'text', blocks: 'int', channels: 'int'}

export const COUNTS = ['changes', 'total'] // results that are whole numbers

const SIDE = 32, // pixels of an image
  STAGES = 3,
  BOTTLENECK = 4 // times the channels of its 3×3 convolution that a bottleneck block outputs

/** Option → what the shortcuts do. @type {Record<string, string>} */
const NAMES = {
  A: 'A: zeros where shapes change',
  B: 'B: projections where shapes change',
  C: 'C: projections everywhere',
}
const OPTIONS = Object.keys(NAMES)
const PARTS = {branch: 'all branches', shortcut: 'all shortcuts'}

/** @typedef {{parameters: number, products: number}} Cost */
/** @typedef {{branch: Cost[], shortcut: Cost, changes: boolean}} Block `changes`: whether the output has another shape than the input */

export const calculation = () => null

/**
 * @param {unknown} _measured
 * @param {Values} settings
 * @returns {TrainingFrame}
 */
export function frame(_measured, settings) {
  const blocks = blocksOf(settings)
  const totals = OPTIONS.map(option => total(blocks, option))
  const option = worded(
    OPTIONS.map(name => NAMES[name]),
    'shortcuts',
    '',
    ['option'],
  )
  /** @type {Record<string, Quantity>} */
  const quantities = {option}
  for (const part of /** @type {(keyof typeof PARTS)[]} */ (Object.keys(PARTS)))
    for (const key of /** @type {const} */ (['parameters', 'products'])) {
      const unit = key === 'products' ? 'products for one image' : key
      const values = totals.map(costs => costs[part][key])
      quantities[`${part}_${key}`] = counted(values, `${key} of ${PARTS[part]}`, unit, ['option'])
    }
  const parameters = (/** @type {Cost[]} */ costs) => summed(costs).parameters
  quantities.block_branch = counted(
    blocks.map(({branch}) => parameters(branch)),
    "parameters of the block's branch",
    'parameters',
    ['block'],
  )
  quantities.block_shortcut = counted(
    blocks.map(({shortcut}) => shortcut.parameters),
    "parameters of the block's projection, if it had one",
    'parameters',
    ['block'],
  )
  quantities.block_changes = counted(
    blocks.map(({changes}) => Number(changes)),
    '1 where the block changes the shape',
    '',
    ['block'],
  )
  const shares = totals.map(({branch, shortcut}) => shortcut.parameters / branch.parameters)
  const results = Object.fromEntries(OPTIONS.map((name, at) => [`${name.toLowerCase()}_share`, shares[at]]))
  return {
    quantities,
    results: {...results, changes: blocks.filter(({changes}) => changes).length, total: blocks.length},
    counts: COUNTS,
    step: 0,
    steps: 0,
    diverged: [],
  }
}

/** The blocks of all stages, as in sims/instruments/costs/shortcut_costs.py. @param {Values} settings @returns {Block[]} */
function blocksOf({kind, blocks: perStage, channels}) {
  const isBottleneck = kind === 'bottleneck'
  const blocks = []
  let inputs = Number(channels)
  for (let stage = 0; stage < STAGES; stage++) {
    const inner = Number(channels) * 2 ** stage,
      outputs = inner * (isBottleneck ? BOTTLENECK : 1),
      side = SIDE / 2 ** stage
    for (let block = 0; block < Number(perStage); block++) {
      const basic = [convolution(inputs, inner, 3, side), convolution(inner, inner, 3, side)],
        narrow = [
          convolution(inputs, inner, 1, side),
          convolution(inner, inner, 3, side),
          convolution(inner, outputs, 1, side),
        ]
      blocks.push({
        branch: isBottleneck ? narrow : basic,
        shortcut: convolution(inputs, outputs, 1, side),
        changes: (stage > 0 && block === 0) || inputs !== outputs,
      })
      inputs = outputs
    }
  }
  return blocks
}

/** @param {number} inputs @param {number} outputs @param {number} size of the kernel @param {number} side of the output image @returns {Cost} */
function convolution(inputs, outputs, size, side) {
  const parameters = inputs * outputs * size ** 2
  return {parameters, products: parameters * side ** 2}
}

/** The cost of all branches, and of all shortcuts under an option. @param {Block[]} blocks @param {string} option */
function total(blocks, option) {
  const projected = blocks.filter(({changes}) => option === 'C' || (option === 'B' && changes))
  return {
    branch: summed(blocks.flatMap(({branch}) => branch)),
    shortcut: summed(projected.map(({shortcut}) => shortcut)),
  }
}

/** @param {Cost[]} costs @returns {Cost} */
const summed = costs => ({
  parameters: costs.reduce((sum, {parameters}) => sum + parameters, 0),
  products: costs.reduce((sum, {products}) => sum + products, 0),
})

/**
 * The sentence that says what a frame shows.
 * @param {TrainingFrame} frame
 */
export function describe({results}) {
  const [count, changes, atChanges, everywhere] = ['total', 'changes', 'b_share', 'c_share'].map(name =>
    Number(results[name]),
  )
  return (
    `Of ${number(count)} blocks, ${number(changes)} change the shape. Projections there add ${percent(atChanges)} to the ` +
    `parameters of the branches; on every shortcut they add ${percent(everywhere)}.`
  )
}

/**
 * What was computed, and what it cannot show.
 * @param {Values} settings
 * @returns {Disclosure}
 */
export const disclosure = ({blocks, channels}) => ({
  network:
    `Three stages of ${blocks} blocks for images of ${SIDE} × ${SIDE} pixels, with ${channels} channels at first; each ` +
    "further stage has half the side length and twice as many channels. Counted, not run: the tests compare the counts with PyTorch's " +
    'own.',
  data: 'None.',
  seeds: 'None; nothing is random.',
  cannot_show: 'Which shortcut learns better, and how long a product takes on a device.',
})

const ROWS = [2, 1, 0] // heights of the bars
const BRANCHES = -100, // percent at which bars begin
  FARTHEST = 155,
  BEYOND = 1.02 // ends of the axis: the least, and relative to the longest bar
const ABOVE = 0.24
/** @type {[number, string][]} */
const SCALES = [
  [1e9, 'billion'],
  [1e6, 'million'],
  [1e3, 'thousand'],
]

/**
 * The changes of the picture that show a frame, whatever was shown before.
 * @param {Record<string, string>} names the id of each model, by its path in the view
 * @param {TrainingFrame} frame
 */
export function update(names, {quantities}) {
  const picture = new Picture(names)
  const [branches, shortcuts, changes] = ['branch', 'shortcut', 'changes'].map(name =>
    Array.from(quantities[`block_${name}`].values),
  )
  showStrip(picture, branches, shortcuts, changes)
  for (const key of ['parameters', 'products'])
    showBars(
      picture,
      `_bars.${key}`,
      Array.from(quantities[`branch_${key}`].values),
      Array.from(quantities[`shortcut_${key}`].values),
    )
  return picture.changes
}

/** @param {Picture} picture @param {string} path @param {number[]} branches @param {number[]} shortcuts */
function showBars(picture, path, branches, shortcuts) {
  const zeros = ROWS.map(() => 0),
    added = shortcuts.map((extra, at) => (100 * extra) / branches[at])
  picture.set(`${path}._parts.branch`, {data: {y: ROWS, left: ROWS.map(() => BRANCHES), right: zeros}})
  picture.set(`${path}._parts.shortcut`, {data: {y: ROWS, left: zeros, right: added}})
  const words = shortcuts.map((extra, at) => {
    const end = short(branches[at] + extra)
    return extra ? `${end}, +${percent(extra / branches[at])}` : end
  })
  for (const [source, rows] of /** @type {[string, number[]][]} */ ([
    ['_base', [0]],
    ['_words', [1, 2]],
  ]))
    picture.set(`${path}.${source}`, {
      data: {x: rows.map(() => BRANCHES), y: rows.map(at => ROWS[at] + ABOVE), text: rows.map(at => words[at])},
    })
  picture.set(`${path}.figure.x_range`, {end: Math.max(FARTHEST, BEYOND * Math.max(...added))})
}

/** @param {Picture} picture @param {number[]} branches @param {number[]} shortcuts @param {number[]} changes */
function showStrip(picture, branches, shortcuts, changes) {
  let end = 0
  const columns = branches.map((branch, at) => {
    const left = end
    end += branch
    return {left, right: end, top: 1 + shortcuts[at] / branch, changes: changes[at] > 0}
  })
  for (const part of ['branch', 'changes', 'same']) {
    const own = columns.filter(column => part === 'branch' || column.changes === (part === 'changes'))
    picture.set(`_strip._areas.${part}`, {
      data: {
        left: own.map(({left}) => left),
        right: own.map(({right}) => right),
        bottom: own.map(() => (part === 'branch' ? 0 : 1)),
        top: own.map(({top}) => (part === 'branch' ? 1 : top)),
      },
    })
  }
  picture.set('_strip.figure.x_range', {end})
}

/** A large count in words. @param {number} value */
function short(value) {
  const [scale, word] = SCALES.find(([scale]) => value >= scale) ?? [1, '']
  return `${number(value / scale)} ${word}`.trim()
}
