// The tables, CSV and JSON that app/static/training/session/downloads.js writes of the frames on its input.
import {text} from 'node:stream/consumers'
import {csv, json, tables} from '../../app/static/training/session/downloads.js'

const NAMED = {nan: NaN, inf: Infinity, '-inf': -Infinity, '-0': -0}

const quantity = ({kind, values, ...rest}) => {
  const numbers = values.map(value => NAMED[value] ?? value)
  return {...rest, values: kind === 'int' ? Int32Array.from(numbers) : Float64Array.from(numbers)}
}

const {comment, frames} = JSON.parse(await text(process.stdin))
const outcomes = frames.map(({quantities, ...rest}) => {
  const entries = Object.entries(quantities).map(([name, values]) => [name, quantity(values)])
  const frame = {...rest, quantities: Object.fromEntries(entries)}
  return {headers: tables(frame).map(table => table.header), csv: csv(frame, comment), json: json(frame)}
})
console.log(JSON.stringify(outcomes))
