// Horizontal bars with a text at the end of each: what app/pictures/charts/lanes.py does when it is shown.
import {tick} from '../../../shared/numbers.js'
import {power} from '../picture.js'

/** @typedef {import('../picture.js').Picture} Picture */
/** @typedef {{kinds: string[], room?: number, logarithmic?: boolean, sizes?: boolean}} Look `room`: the share of the width for the texts; bars of `sizes` start at the lower end of a logarithmic axis, and others at 1 */
/** @typedef {{name: string, value: number, text: string, kind: string}} Lane */

const LANE = 26,
  FRAME = 74 // pixels
const TICKS = 6

/**
 * `Lanes.show`: the first lane is on top. A value that is not finite has a text and no bar.
 * @param {Picture} picture @param {string} path @param {Look} look @param {Lane[]} lanes
 */
export function showLanes(picture, path, {kinds, room = 0.3, logarithmic = false, sizes = false}, lanes) {
  picture.set(`${path}._range`, {factors: lanes.map(({name}) => name).reverse()})
  picture.set(`${path}.figure`, {height: FRAME + LANE * lanes.length})
  const isDrawable = (/** @type {Lane} */ {value}) => Number.isFinite(value) && (value > 0 || !logarithmic)
  const bars = lanes.filter(isDrawable)
  const values = bars.map(({value}) => value)
  const [foot, end] = logarithmic ? fitPowers(picture, path, room, sizes, values) : fit(picture, path, room, values)
  for (const kind of kinds) {
    const own = bars.filter(bar => bar.kind === kind)
    picture.set(`${path}._bars.${kind}`, {
      data: {name: own.map(({name}) => name), left: own.map(() => foot), right: own.map(({value}) => value)},
    })
  }
  picture.set(`${path}._texts`, {
    data: {name: lanes.map(({name}) => name), x: lanes.map(() => end), text: lanes.map(({text}) => text)},
  })
}

/** Fits the axis; returns where bars start, and its end. @param {Picture} picture @param {string} path @param {number} room @param {number[]} values */
function fit(picture, path, room, values) {
  const end = (values.length ? Math.max(...values) : 1) / (1 - room)
  picture.set(`${path}.figure.x_range`, {start: 0, end})
  return [0, end]
}

/** The same for a logarithmic axis. @param {Picture} picture @param {string} path @param {number} room @param {boolean} sizes @param {number[]} values */
function fitPowers(picture, path, room, sizes, values) {
  const powers = values.map(Math.log10)
  const lowest = Math.floor(Math.min(...powers, Infinity))
  const low = Math.min(sizes && powers.includes(lowest) ? lowest - 1 : lowest, -1),
    high = Math.max(Math.ceil(Math.max(...powers, -Infinity)), 1)
  const end = 10 ** (low + (high - low) / (1 - room))
  picture.set(`${path}.figure.x_range`, {start: power(low), end})
  const step = Math.ceil((high - low) / Math.max(TICKS * (1 - room), 2))
  const first = sizes ? low : Math.ceil(low / step) * step
  const count = Math.floor((high - first) / step) + 1
  const named = Array.from({length: count}, (_, index) => power(first + index * step))
  picture.namedTicks(
    `${path}.figure.xaxis.0`,
    named.map(place => [place, tick(place, true)]),
  )
  return [sizes ? power(low) : 1, end]
}
