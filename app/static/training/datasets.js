// Tasks in the plane and the functions of their coordinates that a network can be fed, as in sims/data/datasets.py and
// sims/data/input_features.py: tests hold every number to Python's.
import {Generator} from './engine/numerics/draws.js'
import {sine} from './engine/numerics/singles.js'

const {PI, cos, fround, sin, sqrt} = Math

/** @typedef {import('./engine/data.js').Data} Data */
/** @typedef {import('./engine/numerics/draws.js').Ziggurat} Ziggurat */
/** @typedef {{points: Float64Array, labels: number[]}} Drawn points are x, y, x, y, … */

const COORDINATES = ['x1', 'x2']

/** @type {Record<string, (x: number, y: number) => number>} of single precision */
const FUNCTIONS = {
  x1: x => x,
  x2: (_x, y) => y,
  x1_squared: x => x * x,
  x2_squared: (_x, y) => y * y,
  product: (x, y) => x * y,
  sine_x1: x => sine(fround(3 * x)),
  sine_x2: (_x, y) => sine(fround(3 * y)),
}

/** The functions' names, in the order in which a network gets them. */
export const FEATURES = Object.keys(FUNCTIONS)

/**
 * Values (features, points) of these functions at points (2, points).
 * @param {Float32Array} points @param {string[]} features
 */
export function computed(points, features) {
  const count = points.length / 2
  const values = new Float32Array(features.length * count)
  for (const [row, name] of features.entries())
    for (let at = 0; at < count; at++) values[row * count + at] = FUNCTIONS[name](points[at], points[count + at])
  return values
}

/** The same data with these functions of the coordinates as the network's inputs. @param {Data} data @param {string[]} features @returns {Data} */
export function featured(data, features) {
  if (String(features) === String(COORDINATES)) return data
  const [train, test] = [data.train, data.test].map(({inputs, labels}) => ({
    inputs: computed(inputs, features),
    labels,
  }))
  return {...data, features: features.length, train, test, plane: data.train}
}

/** The data set of a source. @param {DataSource} source @param {Ziggurat} ziggurat @returns {Data} */
export function dataset({name, arguments: values = {}, features = COORDINATES}, ziggurat) {
  const data = name === 'own' ? own(String(values.points)) : random(name, values, ziggurat)
  return featured(data, features)
}

// -- random points -------------------------------------------------------------------------------------------------

/** @param {string} name @param {Record<string, number | string>} values @param {Ziggurat} ziggurat @returns {Data} */
function random(name, values, ziggurat) {
  const {draw, classes = 2, spread} = TASKS[name]
  const {points = 256, seed = 0} = values
  const random = new Generator([Number(seed)], ziggurat)
  const deviation = Number(values.noise ?? values.spread ?? spread)
  const [train, test] = [1, 2].map(() => part(draw(random, Number(points), deviation)))
  return {features: 2, classes, train, test}
}

/** @param {Drawn} drawn */
function part({points, labels}) {
  const inputs = new Float32Array(points.length)
  for (const at of labels.keys()) {
    inputs[at] = points[2 * at]
    inputs[labels.length + at] = points[2 * at + 1]
  }
  return {inputs, labels: BigInt64Array.from(labels, BigInt)}
}

/**
 * Points around places, which are drawn first.
 * @param {Generator} random @param {number} deviation @param {number[]} labels @param {(label: number, at: number) => number[]} place
 * @returns {Drawn}
 */
function around(random, deviation, labels, place) {
  const noise = random.normal(deviation, 2 * labels.length)
  const places = labels.flatMap((label, at) => place(label, at))
  return {points: noise.map((shift, at) => places[at] + shift), labels}
}

/** Classes in turn. @param {number} count @param {number} [classes] */
const inTurn = (count, classes = 2) => Array.from({length: count}, (_, at) => at % classes)

const TURNS = 1.5,
  CLOUDS = 4

/** @type {Record<string, {draw: (random: Generator, count: number, deviation: number) => Drawn, spread: number, classes?: number}>} */
const TASKS = {
  spirals: {
    spread: 0.02,
    draw(random, count, deviation) {
      const along = random.uniform(0, 1, count).map(sqrt)
      return around(random, deviation, inTurn(count), (label, at) => {
        const angle = along[at] * TURNS * 2 * PI + label * PI,
          radius = 1.5 * along[at]
        return [radius * cos(angle), radius * sin(angle)]
      })
    },
  },
  rings: {
    spread: 0.08,
    draw(random, count, deviation) {
      const [disk, ring] = [random.uniform(0, 0.36, count).map(sqrt), random.uniform(0.9, 1.3, count)]
      const angles = random.uniform(0, 2 * PI, count)
      return around(random, deviation, inTurn(count), (label, at) => {
        const radius = (label ? ring : disk)[at]
        return [radius * cos(angles[at]), radius * sin(angles[at])]
      })
    },
  },
  xor: {
    spread: 0.05,
    draw(random, count, deviation) {
      const places = random.uniform(-1.2, 1.2, 2 * count)
      const labels = Array.from({length: count}, (_, at) => Number(places[2 * at] * places[2 * at + 1] > 0))
      const apart = places.map(place => place + Math.sign(place) * 0.1)
      return around(random, deviation, labels, (_label, at) => [apart[2 * at], apart[2 * at + 1]])
    },
  },
  moons: {
    spread: 0.1,
    draw(random, count, deviation) {
      const angles = random.uniform(0, PI, count)
      return around(random, deviation, inTurn(count), (label, at) => {
        const side = 1 - 2 * label
        return [side * cos(angles[at]) + label - 0.5, side * sin(angles[at]) + label / 2 - 0.25]
      })
    },
  },
  blobs: {
    spread: 0.3,
    classes: CLOUDS,
    draw(random, count, deviation) {
      return around(random, deviation, inTurn(count, CLOUDS), label => {
        const angle = (2 * PI * label) / CLOUDS
        return [cos(angle), sin(angle)]
      })
    },
  },
}

// -- the reader's own points ---------------------------------------------------------------------------------------

const POINT = /[abcd]\d{4}/g
const CELLS = 100, // along each side of the square
  REACH = 2 // half the side of the square

/** Points, in the middle of their cells, and classes, from a text as in sims/contract/own_points.py. @param {string} text @returns {Drawn} */
export function ownPoints(text) {
  const points = text.match(POINT) ?? []
  const middle = (/** @type {string} */ cell) => (((Number(cell) + 0.5) / CELLS) * 2 - 1) * REACH
  return {
    points: Float64Array.from(points.flatMap(point => [middle(point.slice(1, 3)), middle(point.slice(3))])),
    labels: points.map(point => 'abcd'.indexOf(point[0])),
  }
}

/** Nothing is held out for testing. @param {string} text @returns {Data} */
function own(text) {
  const drawn = ownPoints(text)
  const points = part(drawn)
  return {features: 2, classes: Math.max(...drawn.labels) + 1, train: points, test: points}
}
