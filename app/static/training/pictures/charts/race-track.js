// A race on parallel tracks: what app/pictures/charts/race_track.py does when it is shown.
import {formatted, percent} from '../../../shared/numbers.js'
import {image} from '../picture.js'
import {last} from '../../frame.js'
import {showPodium} from './podium.js'

/** @typedef {import('../picture.js').Picture} Picture */
/**
 * One entrant: its data at every record so far, shares of right answers as median, lowest and highest of the seeds; the
 * bytes of all maps; its place, the step at which it finished, infinity if it did not, and the text at the end of its track.
 * @typedef {{label: string, color: string, dash: string, way: import('../../frame.js').Band, maps: Uint8Array | null, place: number, finish: number, said: string}} Runner
 */

const TRACK = 50,
  AROUND = 66 // pixels
const BEFORE = 0.15, // what is shown before the start and after the end, as shares of the way
  BEYOND = 0.19
const ENDS = ['middle', 'low', 'high']

/**
 * `RaceTrack.show`
 * @param {Picture} picture @param {string} path @param {string[]} colors all that runners may have @param {number} finish share of right answers at the line
 * @param {Runner[]} runners @param {Quantity['values']} steps @param {number} end the last step of a race
 * @param {number} guessing share of right answers by guessing @param {number} side of a map
 */
export function showRace(picture, path, colors, finish, runners, steps, end, guessing, side) {
  const count = runners.length,
    now = last(steps),
    isOver = now >= end
  const start = guessing - BEFORE * (1 - guessing)
  picture.set(`${path}.figure.x_range`, {start, end: 1 + BEYOND * (1 - guessing)})
  picture.set(`${path}.figure.y_range`, {start: 0, end: count})
  picture.set(`${path}.figure`, {height: AROUND + TRACK * count})
  const rows = runners.map((_, row) => count - row - 0.5)
  picture.namedTicks(
    `${path}.figure.yaxis.0`,
    runners.map(({label}, row) => [rows[row], label]),
  )
  picture.namedTicks(`${path}.figure.xaxis.0`, [...tenths(guessing), [finish, `${percent(finish)}: finish`]])
  picture.set(`${path}._lanes`, {data: {x0: rows.map(() => start), x1: rows.map(() => finish), y: rows}})
  picture.set(`${path}._line`, {data: {x: [finish], y0: [0], y1: [count], text: ['']}})
  const ways = runners.map(({way}) => way.map(curve => Array.from(curve, share => Math.max(share, start))))
  // The course comes first, so that the page knows which race the markers that follow belong to.
  picture.set(`${path}.course`, {data: courseOf(isOver ? runners : [], ways, rows, steps, end, side)})
  for (const color of colors) {
    const own = [...runners.keys()].filter(row => runners[row].color === color)
    const [x, low, high] = ENDS.map((_, at) => own.map(row => last(ways[row][at])))
    const y = own.map(row => rows[row])
    picture.set(`${path}._markers.${color}`, {
      data: {start: own.map(() => start), x, low, high, y, dash: own.map(row => runners[row].dash)},
    })
  }
  const mapped = [...runners.keys()].filter(row => runners[row].maps)
  const bare = [...runners.keys()].filter(row => !runners[row].maps)
  const position = (/** @type {number} */ row) => last(ways[row][0])
  picture.set(`${path}._maps`, {
    data: {
      x: mapped.map(position),
      y: mapped.map(row => rows[row]),
      image: mapped.flatMap(row => mapsOf(runners[row].maps, side).slice(-1)).map(map => image(map, [side, side])),
    },
  })
  picture.set(`${path}._shares`, {
    data: {
      x: bare.map(position),
      y: bare.map(row => rows[row]),
      text: bare.map(row => formatted(100 * last(runners[row].way[0]), '.0f')),
    },
  })
  picture.namedTicks(
    `${path}._places`,
    runners.map(({said, finish: step}, row) => [rows[row], isOver || step <= now ? said : '']),
  )
  showPodium(picture, `${path}.podium`, colors, runners, now)
}

/** The maps of all records. @param {Uint8Array | null} bytes @param {number} side */
function mapsOf(bytes, side) {
  if (!bytes) return []
  const size = side ** 2
  return Array.from({length: bytes.length / size}, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

/**
 * The whole race, in the order of the tracks.
 * @param {Runner[]} runners @param {number[][][]} ways @param {number[]} rows @param {Quantity['values']} steps @param {number} end @param {number} side
 */
const courseOf = (runners, ways, rows, steps, end, side) => ({
  color: runners.map(({color}) => color),
  y: runners.map((_, row) => rows[row]),
  ...Object.fromEntries(ENDS.map((name, at) => [name, runners.map((_, row) => ways[row][at])])),
  maps: runners.map(({maps}) => mapsOf(maps, side).map(map => image(map, [side, side]))),
  steps: runners.map(() => Array.from(steps)),
  when: runners.map(({finish}) => (Number.isFinite(finish) ? finish : end)),
  said: runners.map(({said}) => said),
})

/** Ticks at multiples of a tenth, from guessing on. @param {number} guessing @returns {[number, string][]} */
function tenths(guessing) {
  const first = Math.round(10 * guessing)
  return [first, first + 2, first + 4, first + 6, first + 8]
    .filter(tenth => tenth < 9)
    .map(tenth => [tenth / 10, percent(tenth / 10)])
}
