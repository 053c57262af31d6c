// shares.js FOLDER: trains the figures on its input with the modules in this folder, all networks in one thread and then shared by
// several, as a page does; tells whether the same numbers come out, and in the same order.
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {isDeepStrictEqual} from 'node:util'
import {Engine} from '../../app/static/shared/kernels/engine.js'
import {dataset} from '../../app/static/training/datasets.js'
import {dataOf, firstOf} from '../../app/static/training/engine/data.js'
import {Group, engineName} from '../../app/static/training/engine/group.js'
import {FILE, OwnWords} from '../../app/static/training/language/own-words.js'
import {OBSERVERS} from '../../app/static/training/observers/index.js'
import {shared} from '../../app/static/training/threads/threads.js'

const folder = process.argv[2]
const bytes = name => {
  const file = readFileSync(join(folder, name))
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length)
}
const json = name => JSON.parse(readFileSync(join(folder, name)))
const described = json('data.json'),
  ziggurat = json('ziggurat.json'),
  {engines: kernels} = json('description.json')
const modules = new Map()
for (const name of Object.keys(kernels)) modules.set(name, await WebAssembly.compile(bytes(`${name}-fused.wasm`)))

function pointsOf({data}) {
  if (data === FILE) return new OwnWords(readFileSync(join(folder, FILE), 'ascii'))
  const {name, arguments: {points = Infinity} = {}} = typeof data === 'string' ? {name: data} : data
  return described[name] ? firstOf(dataOf(described[name], bytes(`${name}.bin`)), points) : dataset(data, ziggurat)
}

// What each task is answered by threads that share the networks.
async function trained(figure, {settings, chunks}, threads) {
  const networks = figure.networks(settings)
  const measuring = (await OBSERVERS[figure.NAME]?.()) ?? {}
  const groups = shared(networks, threads).map(share => {
    const engines = new Map()
    const engineOf = network => {
      const name = engineName(network)
      if (!engines.has(name)) engines.set(name, new Engine(modules.get(name), kernels[name]))
      return engines.get(name)
    }
    return new Group(engineOf, ziggurat, measuring, settings, share, pointsOf)
  })
  return [0, ...chunks].map(steps => {
    const all = {}
    for (const group of groups) {
      group.advance(steps)
      Object.assign(all, group.progress())
    }
    for (const group of groups)
      for (const [name, {run}] of Object.entries(group.members)) {
        all[name].milliseconds = null // times differ
        all[name].parameters = (run.parameters.numbers ?? run.parameters).slice()
      }
    return Object.fromEntries(Object.keys(networks).map(name => [name, structuredClone(all[name])]))
  })
}

const outcomes = []
for (const task of JSON.parse(readFileSync(0))) {
  const figure = await import(`../../app/static/training/figures/${task.figure}.js`)
  figure.READS?.take(readFileSync(join(folder, figure.READS.file), 'ascii'))
  const alone = await trained(figure, task, 1)
  const together = await trained(figure, task, task.threads)
  const frames = [alone, together].map(([start]) => figure.frame(start, task.settings))
  outcomes.push({
    divisible: figure.DIVISIBLE === true,
    same: isDeepStrictEqual(alone, together) && isDeepStrictEqual(...frames),
    networks: Object.keys(alone[0]).length,
    step: Object.values(alone.at(-1))[0].step,
  })
}
console.log(JSON.stringify(outcomes))
