// groups.js FOLDER: trains the figures on its input with the modules in this folder, as a page does; after each chunk of steps it
// tells what is known of every network.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {Engine} from '../../app/static/shared/kernels/engine.js'
import {sha256} from '../../app/static/shared/kernels/sha256.js'
import {dataset} from '../../app/static/training/datasets.js'
import {dataOf} from '../../app/static/training/engine/data.js'
import {Group, engineName} from '../../app/static/training/engine/group.js'
import {OBSERVERS} from '../../app/static/training/observers/index.js'

const folder = process.argv[2]
const bytes = name => {
  const file = readFileSync(join(folder, name))
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length)
}
const json = name => JSON.parse(readFileSync(join(folder, name)))
const digest = numbers => sha256(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))
const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
const plain = value => {
  if (ArrayBuffer.isView(value)) return Array.from(value, String)
  return value?.constructor === Object ? mapped(value, plain) : value
}

const described = json('data.json'),
  ziggurat = json('ziggurat.json')
const kernels = json('description.json').engines
const modules = {
  perceptrons: await WebAssembly.compile(bytes('perceptrons-fused.wasm')),
  weighted_stack: await WebAssembly.compile(bytes('weighted_stack-fused.wasm')),
}
const pointsOf = ({data}) =>
  described[data] ? dataOf(described[data], bytes(`${data}.bin`)) : dataset(data, ziggurat)

const outcomes = []
for (const {figure: name, settings, chunks} of JSON.parse(readFileSync(0))) {
  const figure = await import(`../../app/static/training/figures/${name}.js`)
  const measuring = await OBSERVERS[name]()
  const engines = Object.fromEntries(
    Object.entries(modules).map(([engine, module]) => [engine, new Engine(module, kernels[engine])]),
  )
  const group = new Group(network => engines[engineName(network)], ziggurat, measuring, settings, figure.networks(settings), pointsOf)
  const told = [0, ...chunks].map(steps => {
    group.advance(steps)
    const networks = mapped(group.progress(), ({records, now, observed, step, milliseconds}) => ({
      ...{step, records: records.map(record => mapped(record, plain)), now: mapped(now, plain)},
      milliseconds,
      observed: observed && mapped(observed, plain),
    }))
    for (const [network, {run}] of Object.entries(group.members)) networks[network].parameters = digest(run.parameters)
    return networks
  })
  outcomes.push(told)
}
console.log(JSON.stringify(outcomes))
