// What readers take away of a frame: the table of the page, and files, in the very texts that Python writes
// (app/live/downloads.py and sims/contract/frame.py).
import {archive} from '../../shared/archive.js'
import {cell, place, ROWS} from '../../shared/files-of-json.js'

const NAME = 120 // letters of a file's name, before its extension
const SOURCE = 'Source: One plus sign, © The Skip Connections authors, CC BY 4.0'

/** @typedef {{header: string[], kinds: ParameterKind[], rows: (number | string)[][]}} Columns */

/** What a page may ask for. */
export const KINDS = ['table', 'csv', 'json', 'npz']

/**
 * The answer to a request for a table or a file.
 * @param {string} kind one of `KINDS`
 * @param {LocalFigure} figure
 * @param {TrainingFrame} frame
 * @param {Values} settings
 * @param {Values} defaults
 * @returns {Reply}
 */
export function reply(kind, figure, frame, settings, defaults) {
  if (kind === 'table') return {tables: tables(frame).map(shown)}
  const changed = Object.keys(figure.PARAMETERS).filter(name => settings[name] !== defaults[name])
  const name = [figure.NAME, ...changed.map(parameter => `${parameter}-${settings[parameter]}`)].join('-')
  const file = `${name.slice(0, NAME)}.${kind}`
  if (kind === 'csv') return {file, type: 'text/csv', content: csv(frame, provenance(figure, frame, settings))}
  if (kind === 'json') return {file, type: 'application/json', content: json(frame, about(figure, frame, settings))}
  if (kind === 'npz') return {file, type: 'application/octet-stream', content: npz(figure, frame, settings)}
  throw new Error(`no file is called ${kind}`)
}

/**
 * NumPy's archive: every array under its name, and as `about` a text in JSON that says what they are.
 * @param {LocalFigure} figure @param {TrainingFrame} frame @param {Values} settings
 */
function npz(figure, frame, settings) {
  const quantities = Object.entries(frame.quantities).map(([name, {label, unit, axes}]) => [
    name,
    object([
      ['label', text(label)],
      ['unit', text(unit)],
      ['axes', list(axes.map(text))],
    ]),
  ])
  const content = object([
    ...about(figure, frame, settings),
    ['step', String(frame.step)],
    ['steps', String(frame.steps)],
    ['results', object(results(frame))],
    ['quantities', object(quantities)],
  ])
  const arrays = Object.entries(frame.quantities).map(([name, {values, shape, texts, whole}]) => [
    name,
    {content: whole ? BigInt64Array.from(values, BigInt) : values, shape, texts},
  ])
  return archive({about: {content, shape: []}, ...Object.fromEntries(arrays)})
}

/** What comes first in JSON. @param {LocalFigure} figure @param {TrainingFrame} frame @param {Values} settings */
function about(figure, frame, settings) {
  const values = Object.entries(figure.PARAMETERS).map(([name, kind]) => [
    name,
    jsonValue(exact(figure, name, settings), kind),
  ])
  return [
    ['provenance', text(provenance(figure, frame, settings))],
    ['settings', object(values)],
  ]
}

/** A setting with all digits of its value. @param {LocalFigure} figure @param {string} name @param {Values} settings */
const exact = ({EXACT: digits}, name, {[name]: setting}) => digits?.[name]?.[setting] ?? setting

/** @param {string} setting @param {ParameterKind} kind */
function jsonValue(setting, kind) {
  if (kind === 'text') return text(setting)
  return kind === 'bool' ? String(setting === 'yes') : jsonNumber(Number(setting), kind)
}

/** The results with their JSON. @param {TrainingFrame} frame */
const results = frame =>
  Object.entries(frame.results).map(([name, result]) => [
    name,
    jsonEntry(result, frame.counts.includes(name) ? 'int' : 'float'),
  ])

/**
 * The header of a download: what was computed, with which settings, the sentence that describes it, and its license.
 * @param {LocalFigure} figure @param {TrainingFrame} frame @param {Values} settings
 */
export function provenance(figure, frame, settings) {
  const {network, data, seeds, cannot_show: cannotShow} = figure.disclosure(settings)
  const values = Object.entries(figure.PARAMETERS).map(
    ([name, kind]) => `${name} = ${value(exact(figure, name, settings), kind)}`,
  )
  return [
    figure.TITLE,
    figure.describe(frame, settings),
    `Settings: ${values.join(', ')}`,
    `Network: ${network}`,
    `Data: ${data}`,
    `Seeds: ${seeds}`,
    `It cannot show: ${cannotShow}`,
    SOURCE,
  ].join('\n')
}

/**
 * One table for every set of axes, with the axes as its first columns.
 * @param {TrainingFrame} frame
 * @returns {Columns[]}
 */
export function tables(frame) {
  const groups = Map.groupBy(Object.values(frame.quantities), ({axes, shape}) => `${axes} ${shape}`)
  return [...groups.values()].map(group => {
    const [{axes, shape, values}] = group
    return {
      header: [...axes, ...group.map(({label, unit}) => `${label} [${unit}]`)],
      kinds: [...axes.map(() => /** @type {ParameterKind} */ ('int')), ...group.map(kindOf)],
      rows: Array.from(values, (_, row) => [...place(row, shape), ...group.map(column => entry(column, row))]),
    }
  })
}

/** A number or, where numbers stand for words, its word. @param {Quantity} quantity @param {number} row */
const entry = ({values, texts}, row) => (texts ? texts[values[row]] : values[row])

/** @param {Columns} table @returns {Table} */
const shown = ({header, rows}) => ({
  header,
  rows: rows.slice(0, ROWS).map(row => row.map(finite)),
  left_out: Math.max(rows.length - ROWS, 0),
})

/**
 * All tables, one below the other, after the lines of a comment.
 * @param {TrainingFrame} frame @param {string} comment
 */
export function csv(frame, comment = '') {
  const lines = comment ? comment.split('\n').map(line => `# ${line}`) : []
  for (const {header, kinds, rows} of tables(frame)) {
    lines.push(header.map(cell).join(','))
    for (const row of rows) lines.push(row.map((value, column) => cell(written(value, kinds[column]))).join(','))
    lines.push('')
  }
  return lines.map(line => `${line}\n`).join('')
}

/**
 * The whole frame with names and units; NaN and infinities become the strings that Python prints.
 * @param {TrainingFrame} frame @param {string[][]} first names and JSON of what comes before it
 */
export function json(frame, first = []) {
  const quantities = Object.entries(frame.quantities).map(([name, quantity]) => [
    name,
    object([
      ['label', text(quantity.label)],
      ['unit', text(quantity.unit)],
      ['axes', list(quantity.axes.map(text))],
      [
        'values',
        nested(
          Array.from(quantity.values, (_, row) => jsonEntry(entry(quantity, row), kindOf(quantity))),
          quantity.shape,
        ),
      ],
    ]),
  ])
  const diverged = frame.diverged.map(divergence =>
    object([
      ['step', String(divergence.step)],
      ['quantity', text(divergence.quantity)],
      ['cause', text(divergence.cause)],
      ['what_to_try', text(divergence.what_to_try)],
    ]),
  )
  return object([
    ...first,
    ['step', String(frame.step)],
    ['steps', String(frame.steps)],
    ['results', object(results(frame))],
    ['diverged', list(diverged)],
    ['quantities', object(quantities)],
  ])
}

/** @param {string[][]} members names and their JSON */
const object = members => `{${members.map(([name, content]) => `${text(name)}: ${content}`).join(', ')}}`

/** @param {string[]} items */
const list = items => `[${items.join(', ')}]`

/** @param {string[]} items row by row @param {number[]} shape @returns {string} */
function nested(items, shape) {
  if (!shape.length) return items[0]
  const [length, ...rest] = shape
  if (!rest.length) return list(items)
  const size = items.length / length
  return list(Array.from({length}, (_, index) => nested(items.slice(index * size, (index + 1) * size), rest)))
}

/** A text as JSON in ASCII, as Python writes it. @param {string} content */
const text = content =>
  JSON.stringify(content).replace(/[\u007f-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** @param {number | string} value @param {ParameterKind} kind */
const jsonEntry = (value, kind) => (typeof value === 'string' ? text(value) : jsonNumber(value, kind))

/** @param {number} number @param {ParameterKind} kind */
const jsonNumber = (number, kind) => (Number.isFinite(number) ? written(number, kind) : `"${written(number, kind)}"`)

/** @param {Quantity} quantity @returns {ParameterKind} */
const kindOf = ({values, whole}) =>
  !whole && (values instanceof Float64Array || values instanceof Float32Array) ? 'float' : 'int'

/** A number, or its name in Python where JSON has none for it; a word. @param {number | string} value @returns {Wired} */
export const finite = value => (Number.isFinite(value) ? value : written(value, 'float'))

/** A value of a parameter as Python prints it. @param {string} setting @param {ParameterKind} kind */
function value(setting, kind) {
  if (kind === 'bool') return setting === 'yes' ? 'True' : 'False'
  return kind === 'float' ? written(Number(setting), kind) : setting
}

/** A number as Python prints it; a word. @param {number | string} number @param {ParameterKind} kind */
function written(number, kind) {
  if (typeof number === 'string') return number
  if (kind === 'int') return String(number)
  if (Number.isNaN(number)) return 'nan'
  if (!Number.isFinite(number)) return number > 0 ? 'inf' : '-inf'
  if (number === 0) return Object.is(number, -0) ? '-0.0' : '0.0'
  const [digits, power] = number.toExponential().split('e')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16)
    return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  if (exponent < 0) return `${number < 0 ? '-' : ''}0.${'0'.repeat(-exponent - 1)}${digits.replace(/[-.]/g, '')}`
  const plain = String(number)
  return plain.includes('.') ? plain : `${plain}.0`
}
