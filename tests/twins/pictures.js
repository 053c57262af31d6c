// What the pictures of app/static/training/pictures/picture.js make of the values on its input.
import {text} from 'node:stream/consumers'
import {Picture, spreadOut} from '../../app/static/training/pictures/picture.js'

const NAMED = {nan: NaN, inf: Infinity, '-inf': -Infinity}
const numbers = values => values.map(value => NAMED[value] ?? value)
const replaced = (_key, value) =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value).toLowerCase() : value

const {heights, names, paths, groups} = JSON.parse(await text(process.stdin))
const bars = Object.entries(groups).map(([name, values]) => [name, numbers(values)])
const picture = new Picture(paths)
picture.logBars('bars', names, Object.fromEntries(bars))
const spread = heights.map(({values, apart}) => spreadOut(numbers(values), apart))
console.log(JSON.stringify({spread, changes: picture.changes}, replaced))
