// Times our engine and TensorFlow Playground's in one browser, in turns.
import {Engine} from '/app/static/shared/kernels/engine.js'
import {PerceptronRun} from '/app/static/training/engine/perceptrons/run.js'
import * as playground from '/files/playground.js'

const read = async name => (await fetch(`/files/${name}`)).arrayBuffer()
const json = async name => (await fetch(`/files/${name}`)).json()

/** A network of each engine with the same shape, on the same 500 points: functions that make so many updates. */
async function networks({architecture, recipe}, variant) {
  const description = await json('description.json')
  const module = await WebAssembly.compile(await read(`perceptrons-${variant}.wasm`))
  const points = Array.from({length: 500}, () => [Math.random() * 12 - 6, Math.random() * 12 - 6])
  const labels = points.map(([x, y]) => Number(x * y > 0))
  const train = {
    inputs: Float32Array.from([...points.map(([x]) => x), ...points.map(([, y]) => y)]),
    labels: BigInt64Array.from(labels, BigInt),
  }
  const data = {features: 2, classes: 2, train, test: train}
  const run = new PerceptronRun(new Engine(module, description.engines.perceptrons), architecture, recipe, data, [0], await json('ziggurat.json'))
  const {RELU, TANH} = playground.Activations
  const shape = [2, ...Array(architecture.depth - 1).fill(architecture.width), 1]
  const network = playground.buildNetwork(shape, RELU, TANH, null, ['x', 'y'], false)
  const update = () => {
    for (let count = 0; count < recipe.batch; count++) {
      const at = Math.floor(Math.random() * points.length)
      playground.forwardProp(network, points[at])
      playground.backProp(network, 2 * labels[at] - 1, playground.Errors.SQUARE)
    }
    playground.updateWeights(network, recipe.learning_rate, 0)
  }
  const grid = Array.from({length: 64 * 64}, (_, at) => [(at % 64) / 5 - 6, Math.floor(at / 64) / 5 - 6])
  const columns = Float32Array.from([...grid.map(([x]) => x), ...grid.map(([, y]) => y)])
  const repeated = once => times => {
    for (let count = 0; count < times; count++) once()
  }
  return {
    ours: {update: updates => run.advance(updates), map: repeated(() => run.predict(columns, grid.length))},
    theirs: {update: repeated(update), map: repeated(() => grid.map(point => playground.forwardProp(network, point)))},
  }
}

/** Milliseconds of an update and of a map of 64 × 64 places for both engines, `rounds` times in turns. */
export async function compare(task, {rounds, updates, maps}, variant = 'fused') {
  const {ours, theirs} = await networks(task, variant)
  const taken = {ours: {update: [], map: []}, theirs: {update: [], map: []}}
  for (let round = -1; round < rounds; round++)
    for (const [name, engine] of Object.entries({ours, theirs}))
      for (const [what, times] of [['update', updates], ['map', maps]]) {
        const began = performance.now()
        engine[what](times)
        if (round >= 0) taken[name][what].push((performance.now() - began) / times)
        await new Promise(resolve => setTimeout(resolve))
      }
  return taken
}
