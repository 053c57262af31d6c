// An image on its way through a network: what app/pictures/maps/image_stages.py does when it is shown.
import {image} from '../picture.js'

/** @typedef {import('../picture.js').Picture} Picture */

const FEW = 4,
  ROWS = 2
const LARGE = 1.75,
  GAP = 0.12,
  LABEL = 0.44
const WIDTH = FEW + (FEW - 1) * GAP
const BAR = 0.09
const FINER = 4, // drawn pixels along a pixel of the image
  LEVELS = 64 // shades

/**
 * `ImageStages.show`: images (stages, side, side), the input first, and the cosine of each with the input.
 * @param {Picture} picture @param {string} path @param {Float64Array} images @param {number} pixels along an edge
 * @param {number[]} likeness @param {string[]} labels of all stages but the first @param {string} name @param {string} words
 */
export function showImageStages(picture, path, images, pixels, likeness, labels, name, words) {
  const count = likeness.length - 1
  const across = Math.max(FEW, Math.ceil(count / ROWS))
  const side = (WIDTH - ((across - 1) * GAP * FEW) / across) / across
  const pitch = (WIDTH + (GAP * FEW) / across) / across,
    top = -LARGE - 1.5 * GAP
  const stages = labels.map((_, at) => at)
  const lefts = [0, ...stages.map(at => (at % across) * pitch)],
    tops = [0, ...stages.map(at => top - Math.floor(at / across) * (side + LABEL))],
    sides = [LARGE, ...stages.map(() => side)]
  const feet = tops.map((y, at) => y - sides[at])
  picture.set(`${path}.images`, {data: {image: drawn(images, pixels), x: lefts, y: feet, side: sides}})
  picture.set(`${path}._edges`, {
    data: {left: lefts, right: lefts.map((x, at) => x + sides[at]), bottom: feet, top: tops},
  })
  const later = (/** @type {(at: number) => unknown} */ value) => stages.map(at => value(at + 1))
  picture.set(`${path}.bars`, {
    data: {
      left: later(at => lefts[at]),
      right: later(at => lefts[at] + Math.abs(likeness[at]) * side),
      bottom: later(at => feet[at] - 1.5 * BAR),
      top: later(at => feet[at] - 0.5 * BAR),
    },
  })
  picture.set(`${path}._labels`, {
    data: {x: later(at => lefts[at] + side / 2), y: later(at => feet[at] - 1.5 * BAR), text: labels},
  })
  for (const [source, text] of Object.entries({_name: name, words}))
    picture.set(`${path}.${source}`, {data: {x: [LARGE + 1.5 * GAP], y: [-0.34 * LARGE], text: [text]}})
}

/** Every image at the input's size, from paper, the input's lowest value, to ink, its highest. @param {Float64Array} images @param {number} pixels */
function drawn(images, pixels) {
  const size = pixels * pixels
  const square = (/** @type {Float64Array} */ values) => values.reduce((sum, value) => sum + value * value, 0) / size
  const first = images.subarray(0, size)
  const low = Math.min(...first),
    range = Math.max(...first) - low
  return Array.from({length: images.length / size}, (_, at) => {
    const own = images.subarray(at * size, (at + 1) * size)
    const scale = Math.sqrt(square(own) / square(first))
    const darkness = own.map(value => Math.min(Math.max(((scale > 0 ? value / scale : 0) - low) / range, 0), 1))
    return smooth(darkness, pixels)
  })
}

/** An image with values between the middles of its pixels, from the lowest row up. @param {Float64Array} darkness @param {number} pixels */
function smooth(darkness, pixels) {
  const fine = FINER * pixels
  const between = Array.from({length: fine}, (_, at) => {
    const place = Math.min(Math.max((at + 0.5) / FINER - 0.5, 0), pixels - 1)
    const before = Math.min(Math.floor(place), pixels - 2)
    return {before, share: place - before}
  })
  const bytes = new Uint8Array(fine * fine)
  for (const [row, {before: above, share: down}] of between.entries())
    for (const [column, {before: left, share: along}] of between.entries()) {
      const at = (/** @type {number} */ x) =>
        (1 - down) * darkness[above * pixels + x] + down * darkness[(above + 1) * pixels + x]
      const shade = LEVELS * ((1 - along) * at(left) + along * at(left + 1))
      bytes[(fine - 1 - row) * fine + column] = toEven(shade)
    }
  return image(bytes, [fine, fine])
}

/** Rounded, halves to even numbers. @param {number} value */
const toEven = value => (value - Math.floor(value) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value))
