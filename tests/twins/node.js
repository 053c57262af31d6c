// What the twin of a figure in JavaScript makes of the cases on its input, as JSON; values that are not finite have the names
// that Python gives them. A figure that calculates does so here.
import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {CALCULATIONS} from '../../app/static/training/calculations/index.js'
import {Engine} from '../../app/static/shared/kernels/engine.js'
import {csv, finite, KINDS, reply} from '../../app/static/training/session/downloads.js'
import {dataOf} from '../../app/static/training/engine/data.js'
import {FILE, OwnWords} from '../../app/static/training/language/own-words.js'
import {endOf, frameOf} from '../../app/static/training/frame.js'

const {figure: name, names, defaults, files, cases, gestures = []} = JSON.parse(await text(process.stdin))
const places = [`${name}.js`, `calculated/${name}.js`].map(
  path => new URL(`../../app/static/training/figures/${path}`, import.meta.url),
)
const figure = await import(places.find(existsSync))

if (figure.READS)
  figure.READS.take(readFileSync(new URL(`../../sims/data/files/${figure.READS.file}`, import.meta.url), 'ascii'))

const NAMED = {nan: NaN, inf: Infinity, '-inf': -Infinity}
const numbers = values => Float64Array.from(values, value => NAMED[value] ?? value)

const record = values =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, key === 'step' ? value : numbers(value)]))

const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

const isNumber = value => typeof value === 'number' || value in NAMED
const observation = value => {
  if (value?.bytes) return Uint8Array.from(value.bytes)
  if (Array.isArray(value)) return value.every(isNumber) ? numbers(value) : value
  return value?.constructor === Object ? mapped(value, observation) : value
}

const run = ({records, now, observed, ...rest}) => ({
  ...rest,
  records: records.map(record),
  now: record(now),
  observed: observation(observed),
})

const plain = value => {
  if (typeof value === 'number') return finite(value)
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, plain)
  return value && typeof value === 'object' ? mapped(value, plain) : value
}

const inWords = ({texts, values, whole: _whole, ...quantity}) => ({
  ...quantity,
  values: texts ? Array.from(values, value => texts[value]) : values,
})

const bytes = file => {
  const content = readFileSync(join(files, file))
  return content.buffer.slice(content.byteOffset, content.byteOffset + content.length)
}
const json = file => JSON.parse(readFileSync(join(files, file)))

const measured = await (async () => {
  if (!figure.calculation) return null
  const calculation = cases.length ? figure.calculation(cases[0].settings) : null
  if (!calculation) return null
  const {engine: code, data: source} = calculation
  const data = source === FILE ? new OwnWords(String(readFileSync(join(files, FILE)))) : dataOf(json('data.json')[source], bytes(`${source}.bin`)),
    ziggurat = json('ziggurat.json')
  const engine =
    code && new Engine(await WebAssembly.compile(bytes(`${code}-fused.wasm`)), json('description.json').engines[code])
  const module = await CALCULATIONS[calculation.name]()
  return settings => module.measured(figure.calculation(settings), data, ziggurat, engine)
})()

const outcome = ({settings, runs, ends, gestures = []}) => {
  const frame = figure.frame(measured?.(settings) ?? mapped(runs ?? {}, run), settings)
  const beside = mapped(ends, endOf)
  const shown = frame => JSON.stringify(plain([figure.describe(frame, settings), figure.update(names, frame, settings, beside)]))
  const {npz, ...replies} = Object.fromEntries(
    KINDS.map(kind => [kind, reply(kind, figure, frame, settings, defaults)]),
  )
  const came = frameOf(JSON.parse(replies.json.content), figure.COUNTS)
  const kept = figure.reread?.(came, settings) ?? came
  return {
    networks: figure.networks?.(settings),
    further: figure.further?.(mapped(runs ?? {}, run), settings) ?? {},
    frame: {...frame, quantities: mapped(frame.quantities, inWords)},
    description: figure.describe(frame, settings),
    disclosure: figure.disclosure(settings),
    changes: figure.update(names, frame, settings, beside),
    replies,
    // As of a run that came with the page: its frame is read from JSON.
    kept: shown(kept) === shown(frame),
    reread: figure.reread ? csv(kept) : null,
    pointed: gestures.map(({origin, ...gesture}) => {
      // A model by its path in the view, or by its id.
      const model = typeof origin === 'string' ? {id: names[origin]} : origin
      return figure.pointed(names, {...gesture, origin: model}, settings, frame)
    }),
    archive: Buffer.from(npz.content).toString('base64'),
  }
}

const pointed = gestures.map(gesture => figure.pointed(names, gesture, defaults, null))
console.log(JSON.stringify(plain({name: figure.NAME, title: figure.TITLE, pointed, outcomes: cases.map(outcome)})))
