// What the twin of the explorer makes of the cases on its input, as JSON. Bytes and long texts are replaced by digests.
import {createHash} from 'node:crypto'
import {text} from 'node:stream/consumers'
import {finite, reply} from '../../app/static/training/session/downloads.js'
import * as figure from '../../app/static/training/figures/explorer.js'
import {frameOf} from '../../app/static/training/frame.js'

const {names, defaults, cases} = JSON.parse(await text(process.stdin))

const NAMED = {nan: NaN, inf: Infinity, '-inf': -Infinity}
const numbers = values => Float64Array.from(values, value => NAMED[value] ?? value)
const bytes = base64 => Uint8Array.from(Buffer.from(base64, 'base64'))
const digest = content => createHash('sha256').update(content).digest('hex')

const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
const record = ({step, ...measures}) => ({step, ...mapped(measures, numbers)})
const observed = ({maps, units, points, classes}) => ({
  maps: bytes(maps),
  units: {bytes: bytes(units.bytes), shape: units.shape},
  points: Float32Array.from(points),
  classes,
})
const run = values => ({
  ...values,
  records: values.records.map(record),
  now: record(values.now),
  observed: observed(values.observed),
})

const plain = value => {
  if (typeof value === 'number') return finite(value)
  if (value instanceof Uint8Array) return digest(value)
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, plain)
  if (value?.type === 'ndarray') return `${digest(value.array.data)} ${value.shape}`
  return value && typeof value === 'object' ? mapped(value, plain) : value
}

const inWords = ({texts, values, shape, ...quantity}) => ({
  ...quantity,
  shape,
  values: texts
    ? Array.from(values, value => texts[value])
    : values instanceof Uint8Array
      ? `${digest(values)} ${shape}`
      : values,
})

const outcome = ({settings, runs, gestures, downloads}) => {
  const frame = figure.frame(mapped(runs, run), settings)
  const changes = figure.update(names, frame, settings)
  const taken = Object.fromEntries(downloads.map(kind => [kind, reply(kind, figure, frame, settings, defaults)]))
  const read = taken.json && frameOf(JSON.parse(taken.json.content), figure.COUNTS)
  return {
    networks: figure.networks(settings),
    frame: {...frame, quantities: mapped(frame.quantities, inWords)},
    description: figure.describe(frame),
    disclosure: figure.disclosure(settings),
    changes,
    pointed: gestures.map(gesture => figure.pointed(names, gesture, settings, frame)),
    replies: mapped(taken, answer => ({...answer, ...(answer.content && {content: digest(answer.content)})})),
    archive: taken.npz ? Buffer.from(taken.npz.content).toString('base64') : '',
    same: !read || JSON.stringify(plain(figure.update(names, read, settings))) === JSON.stringify(plain(changes)),
  }
}

console.log(JSON.stringify(plain({title: figure.TITLE, kinds: figure.PARAMETERS, outcomes: cases.map(outcome)})))
