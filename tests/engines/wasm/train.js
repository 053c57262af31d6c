// train.js FOLDER: trains the cases of `cases.json` with the modules in this folder as a page does, and returns digests of
// all numbers, as JSON; and draws of the generator.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Engine} from '../../../app/static/shared/kernels/engine.js'
import {sha256} from '../../../app/static/shared/kernels/sha256.js'
import {dataOf, firstOf} from '../../../app/static/training/engine/data.js'
import {Generator} from '../../../app/static/training/engine/numerics/draws.js'
import {PerceptronRun} from '../../../app/static/training/engine/perceptrons/run.js'
import {TransformerRun} from '../../../app/static/training/engine/transformers/run.js'
import {StackRun} from '../../../app/static/training/engine/weighted-stack/run.js'

const folder = process.argv[2]
const bytes = name => {
  const file = readFileSync(join(folder, name))
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length)
}
const json = name => JSON.parse(readFileSync(join(folder, name)))
const digest = numbers => sha256(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))

const ziggurat = json('ziggurat.json')
const {draws = [], runs = [], stacks = []} = JSON.parse(readFileSync(0))

const drawn = draws.map(({entropy, normal, uniform, permutation, bounds}) => {
  const random = new Generator(entropy, ziggurat)
  const order = random.permutation(permutation)
  return [
    digest(random.normal(1, normal)),
    digest(random.uniform(-0.3, 0.7, uniform)),
    digest(Int32Array.from([...order, ...random.permutation(permutation + 1)])),
    digest(Float64Array.from(bounds.flatMap(bound => random.below(bound, 9)))),
  ]
})

const description = json('description.json')
const RUNS = {perceptrons: PerceptronRun, transformers: TransformerRun}
const modules = new Map()
for (const engine of new Set([...runs.map(({engine}) => engine), ...stacks.map(() => 'weighted_stack')]))
  modules.set(engine, await WebAssembly.compile(bytes(`${engine}-fused.wasm`)))

const trained = runs.map(({engine: name, architecture, recipe, data, points, seeds, chunks, looks}) => {
  const engine = new Engine(modules.get(name), description.engines[name])
  const whole = dataOf(json('data.json')[data], bytes(`${data}.bin`))
  const run = new RUNS[name](engine, architecture, recipe, firstOf(whole, points ?? Infinity), seeds, ziggurat)
  for (const steps of chunks) run.advance(steps)
  const {parameters, first, second} = run.running
  const {inputs, labels} = run.data.test
  const seen = Float32Array.from({length: run.data.features * looks}, (_, index) =>
    inputs[Math.floor(index / looks) * labels.length + (index % looks)],
  )
  const layers = architecture.skip === 'dropout' ? undefined : run.layerValues?.(seen, looks, seeds.length - 1)
  const last = seeds.length - 1
  return {
    predicted: digest(run.predict(seen, looks)),
    predicted_last: digest(run.predict(seen, looks, last, last + 1)),
    layers: layers && [digest(layers.values), layers.shape],
    parameters: digest(parameters.numbers),
    first: digest(first.numbers),
    second: digest(second.numbers),
    records: [...run.records, run.now].map(({step, ...measures}) => [
      step,
      ...Object.keys(measures).toSorted().map(name => digest(measures[name])),
    ]),
    overflows: run.overflows.map(overflow => overflow && [overflow.step, overflow.quantity]),
  }
})

const trainedStacks = stacks.map(({stack, seeds, rate, batch, every, chunks}) => {
  const engine = new Engine(modules.get('weighted_stack'), description.engines.weighted_stack)
  const recipe = {learning_rate: rate, batch, record_every: every}
  const run = new StackRun(engine, stack, recipe, dataOf(json('data.json').digits, bytes('digits.bin')), seeds, ziggurat)
  for (const steps of chunks) run.advance(steps)
  const {parameters, first, second} = run.state
  return {
    parameters: digest(parameters.numbers),
    first: digest(first.numbers),
    second: digest(second.numbers),
    records: run.records.map(({step, ...measures}) => [
      step,
      ...Object.keys(measures).toSorted().map(name => digest(measures[name])),
    ]),
    lost: run.overflows.map(overflow => overflow?.step ?? 0),
  }
})
console.log(JSON.stringify({drawn, trained, stacks: trainedStacks}))
