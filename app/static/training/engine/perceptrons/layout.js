// Where every parameter of a perceptron is in the one vector that the optimizer updates, as in
// sims/engines/perceptrons/layout.py and architecture.py.

/** @typedef {{rows: number, columns: number, weight: number, bias: number}} Linear its offsets in the vector; −1 for no bias */
/** @typedef {{layers: Linear[], gates: Linear[], factors: number, size: number, blocks: number}} Layout the linear layers from stem to head, gates or maps on the skips, and the offset of rezero's factors */

/** @type {Record<string, number>} */
const POWERS = {1: 0, '1/blocks^(1/4)': -0.25, '1/sqrt(blocks)': -0.5, '1/blocks': -1}

/** @param {NetworkArchitecture} architecture */
export const layersPerBlock = ({unit}) => (unit === 'pre-activation' || unit === 'one-layer' ? 1 : 2)

/** @param {NetworkArchitecture} architecture */
export const blocksOf = architecture => (architecture.depth - 2) / layersPerBlock(architecture)

/** Numbers per point that a dense block appends; 0 for other skips. @param {NetworkArchitecture} architecture */
export const growthOf = ({skip, growth = 8}) => (skip === 'dense' ? growth : 0)

/** Numbers per point in the stream that reaches the head. @param {NetworkArchitecture} architecture */
export const lastWidth = architecture => architecture.width + blocksOf(architecture) * growthOf(architecture)

/** The last layers of branches that have two layers. @param {Layout} layout */
export const lastOfBranches = ({layers}) => layers.slice(2, -1).filter((_, index) => index % 2 === 0)

/** The factor of a branch. @param {NetworkArchitecture} architecture */
export const branchFactor = architecture =>
  Math.max(blocksOf(architecture), 1) ** POWERS[architecture.branch_factor ?? '1']

/** The factor of the skip: λ, or DeepNorm's α. @param {NetworkArchitecture} architecture */
export const skipFactor = architecture =>
  architecture.norm === 'deep-norm' ? Math.max(blocksOf(architecture), 1) ** 0.25 : (architecture.scaled_skip ?? 1)

/** @param {NetworkArchitecture} architecture @param {number} inputs @param {number} outputs @returns {Layout} */
export function layoutOf(architecture, inputs, outputs) {
  const {width, norm, skip} = architecture
  const blocks = blocksOf(architecture),
    growth = growthOf(architecture)
  // Batch norm subtracts the mean, so a bias before it would have no effect.
  const biased = norm !== 'batch'
  const inside = Array.from({length: growth ? blocks : blocks * layersPerBlock(architecture)}, (_, block) =>
    growth ? {rows: growth, columns: width + block * growth, biased} : {rows: width, columns: width, biased},
  )
  const shapes = [
    {rows: width, columns: inputs, biased},
    ...inside,
    {rows: outputs, columns: lastWidth(architecture), biased: true},
  ]
  const mapped = skip === 'highway' || skip === 'linear' ? blocks : 0
  const gated = Array.from({length: mapped}, () => ({rows: width, columns: width, biased: true}))
  let end = 0
  const linears = [...shapes, ...gated].map(({rows, columns, biased}) => {
    const weight = end,
      bias = weight + rows * columns
    end = bias + (biased ? rows : 0)
    return {rows, columns, weight, bias: biased ? bias : -1}
  })
  const [layers, gates] = [linears.slice(0, shapes.length), linears.slice(shapes.length)]
  return {layers, gates, factors: end, size: end + (skip === 'rezero' ? blocks : 0), blocks}
}
