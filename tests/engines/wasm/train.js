// train.js FOLDER: trains the cases of `cases.json` with the modules in this folder as a page does, and returns digests of
// all numbers, as JSON; and draws of the generator.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Engine} from '../../../app/static/shared/kernels/engine.js'
import {sha256} from '../../../app/static/shared/kernels/sha256.js'
import {dataOf, firstOf} from '../../../app/static/training/engine/data.js'
import {Generator} from '../../../app/static/training/engine/draws.js'
import {PerceptronRun} from '../../../app/static/training/engine/perceptrons.js'

const folder = process.argv[2]
const bytes = name => {
  const file = readFileSync(join(folder, name))
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length)
}
const json = name => JSON.parse(readFileSync(join(folder, name)))
const digest = numbers => sha256(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))

const ziggurat = json('ziggurat.json')
const {draws = [], runs = []} = JSON.parse(readFileSync(0))

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
const module = runs.length ? await WebAssembly.compile(bytes('perceptrons-fused.wasm')) : null
const trained = runs.map(({architecture, recipe, data, points, seeds, chunks, looks}) => {
  const engine = new Engine(module, description.engines.perceptrons)
  const whole = dataOf(json('data.json')[data], bytes(`${data}.bin`))
  const run = new PerceptronRun(engine, architecture, recipe, firstOf(whole, points ?? Infinity), seeds, ziggurat)
  for (const steps of chunks) run.advance(steps)
  const {parameters, first, second} = run.running
  const {inputs, labels} = run.data.test
  const seen = Float32Array.from({length: run.data.features * looks}, (_, index) =>
    inputs[Math.floor(index / looks) * labels.length + (index % looks)],
  )
  const {values, shape} = run.layerValues(seen, looks, seeds.length - 1)
  return {
    predicted: digest(run.predict(seen, looks)),
    layers: [digest(values), shape],
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
console.log(JSON.stringify({drawn, trained}))
