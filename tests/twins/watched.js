// watched.js FOLDER: trains the networks on its input with the modules in this folder, as a page does that watches them, and
// writes what its observer sends.
import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Engine} from '../../app/static/shared/kernels/engine.js'
import {dataset, featured} from '../../app/static/training/datasets.js'
import {dataOf} from '../../app/static/training/engine/data.js'
import {PerceptronRun} from '../../app/static/training/engine/perceptrons/run.js'
import {networks} from '../../app/static/training/explorer/networks.js'
import {observer} from '../../app/static/training/observers/explorer.js'

const folder = process.argv[2]
const bytes = name => {
  const file = readFileSync(join(folder, name))
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length)
}
const json = name => JSON.parse(readFileSync(join(folder, name)))
const digest = content => createHash('sha256').update(content).digest('hex')

const ziggurat = json('ziggurat.json'),
  described = json('data.json')
const kernels = json('description.json').engines.perceptrons
const module = await WebAssembly.compile(bytes('perceptrons-fused.wasm'))

const made = data =>
  described[data.name]
    ? featured(dataOf(described[data.name], bytes(`${data.name}.bin`)), data.features)
    : dataset(data, ziggurat)

const {cases, chunks} = JSON.parse(readFileSync(0))
const outcomes = cases.map(settings =>
  Object.values(networks(settings)).map(({architecture, recipe, data, seeds}) => {
    const engine = new Engine(module, kernels)
    const run = new PerceptronRun(engine, architecture, recipe, made(data), seeds, ziggurat)
    const watching = observer(run, settings)
    run.onRecord = () => watching.recorded()
    for (const steps of chunks) {
      run.advance(steps)
      watching.now()
    }
    const {maps, units, points, classes} = watching.now()
    const {train_loss: loss, test_error: error} = run.now
    return {
      maps: digest(maps),
      units: digest(units.bytes),
      points: Array.from(points),
      classes,
      loss: Array.from(loss, String),
      error: Array.from(error, String),
      overflows: run.overflows,
    }
  }),
)
console.log(JSON.stringify(outcomes))
