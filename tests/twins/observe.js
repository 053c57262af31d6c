// What the observers of app/static/training/observers measure of the runs on the input, and mean cosines of random values.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Engine} from '../../app/static/shared/kernels/engine.js'
import {dataset} from '../../app/static/training/datasets.js'
import {dataOf} from '../../app/static/training/engine/data.js'
import {PerceptronRun} from '../../app/static/training/engine/perceptrons/run.js'
import {TransformerRun} from '../../app/static/training/engine/transformers/run.js'
import {OBSERVERS} from '../../app/static/training/observers/index.js'
import {meanCosine} from '../../app/static/training/observers/likeness.js'

const folder = process.argv[2]
const bytes = name => {
  const file = readFileSync(join(folder, name))
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length)
}
const json = name => JSON.parse(readFileSync(join(folder, name)))

const NAMED = {nan: NaN, inf: Infinity, '-inf': -Infinity}
const named = (_key, value) =>
  typeof value === 'number' && !Number.isFinite(value)
    ? {NaN: 'nan', Infinity: 'inf', '-Infinity': '-inf'}[value]
    : ArrayBuffer.isView(value)
      ? Array.from(value)
      : value

const {cosines, figure, runs} = JSON.parse(readFileSync(0))
const means = cosines.map(({values, shape}) => meanCosine(Float32Array.from(values, value => NAMED[value] ?? value), shape))

const {observer} = await OBSERVERS[figure]()
const [perceptrons, transformers] = await Promise.all(
  ['perceptrons', 'transformers'].map(engine => WebAssembly.compile(bytes(`${engine}-fused.wasm`))),
)
const {engines} = json('description.json')
const ziggurat = json('ziggurat.json')
const observed = runs.map(({settings, networks, steps}) =>
  Object.values(networks).map(({architecture, recipe, data, seeds}) => {
    const points =
      typeof data === 'string' ? dataOf(json('data.json')[data], bytes(`${data}.bin`)) : dataset(data, ziggurat)
    const parts = [architecture, recipe, points, seeds, ziggurat]
    const run =
      'tokens' in architecture
        ? new TransformerRun(new Engine(transformers, engines.transformers), ...parts)
        : new PerceptronRun(new Engine(perceptrons, engines.perceptrons), ...parts)
    const watching = observer(run, settings)
    run.onRecord = () => watching.recorded?.()
    const first = watching.now()
    run.advance(steps)
    return [first, watching.now()]
  }),
)
console.log(JSON.stringify({means, observed}, named))
