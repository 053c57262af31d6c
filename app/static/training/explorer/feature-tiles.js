// The functions of the coordinates as small maps: what app/pictures/maps/feature_tiles.py does when it is shown.
import {FEATURES} from '../datasets.js'
import {FEATURE_SIDE} from './maps.js'
import {image} from '../pictures/picture.js'

/** How the functions are written. @type {Record<string, string>} */
export const LABELS = {
  x1: 'x₁',
  x2: 'x₂',
  x1_squared: 'x₁²',
  x2_squared: 'x₂²',
  product: 'x₁x₂',
  sine_x1: 'sin 3x₁',
  sine_x2: 'sin 3x₂',
}

const PER_ROW = 4
const ROOM = 1.16,
  PITCH = 1.42,
  NAME = -0.2

/** The lower left corner of every tile. */
const CORNERS = FEATURES.map((_, at) => ({left: (at % PER_ROW) * ROOM, low: -Math.floor(at / PER_ROW) * PITCH}))

/** @param {import('../pictures/picture.js').Picture} picture @param {string} path @param {Uint8Array} maps @param {string[]} fed */
export function showFeatures(picture, path, maps, fed) {
  const size = FEATURE_SIDE ** 2
  picture.set(`${path}._maps`, {
    data: {
      image: FEATURES.map((_, at) => image(maps.subarray(at * size, (at + 1) * size), [FEATURE_SIDE, FEATURE_SIDE])),
      x: CORNERS.map(({left}) => left),
      y: CORNERS.map(({low}) => low),
    },
  })
  const tiles = FEATURES.map((name, at) => ({...CORNERS[at], name}))
  for (const [isFed, quads, names] of /** @type {const} */ ([
    [true, '_fed', 'True'],
    [false, '_rest', 'False'],
  ])) {
    const own = tiles.filter(({name}) => fed.includes(name) === isFed)
    picture.set(`${path}.${quads}`, {
      data: {
        left: own.map(({left}) => left),
        right: own.map(({left}) => left + 1),
        bottom: own.map(({low}) => low),
        top: own.map(({low}) => low + 1),
      },
    })
    picture.set(`${path}._names.${names}`, {
      data: {
        x: own.map(({left}) => left + 0.5),
        y: own.map(({low}) => low + NAME),
        text: own.map(({name}) => LABELS[name]),
      },
    })
  }
}

/** The function that a reader presses. @param {number} x @param {number} y */
export const pressedFeature = (x, y) =>
  FEATURES.find((_, at) => {
    const {left, low} = CORNERS[at]
    return x >= left && x - left < ROOM && y - low >= 1 - PITCH && y - low <= 1
  })
