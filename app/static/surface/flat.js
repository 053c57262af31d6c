// Paints the same views without WebGL: cells and short line segments, from the farthest to the nearest.
import {onRamp} from './color.js'
import {project} from './camera.js'
import {STRIDE} from './lines.js'
import {corners} from './mesh.js'
import {SHADE} from './gl.js'

/** @typedef {import('./index.js').View} View */
/** @typedef {{depth: number, draw: (context: CanvasRenderingContext2D) => void}} Part */
const PIECE = 0.06 // longest segment of a line, in the box
const RIM = 4 // pixels: a wider line is the outline of another, whose next segment it must not cover
const GRID = 8 // size of a cell in pixels from which on its outline is drawn

/** @param {number[]} color @param {number} [alpha] */
const css = (color, alpha = 1) => `rgb(${color.map(channel => Math.round(255 * channel)).join(' ')} / ${alpha})`

/** @param {CanvasRenderingContext2D} context @param {View[]} views @param {number} ratio */
export function paint(context, views, ratio) {
  for (const view of views) {
    context.save()
    context.scale(ratio, ratio)
    context.translate(view.box[0], view.box[1])
    context.lineJoin = 'round'
    for (const numbers of [view.moving.behind, view.scene.behind]) strokes(context, numbers, view)
    const parts = [...cells(view)]
    for (const numbers of [view.scene.on, view.scene.through, view.moving.through])
      parts.push(...pieces(numbers, view, PIECE))
    parts.sort((one, other) => other.depth - one.depth)
    for (const part of parts) part.draw(context)
    context.restore()
  }
}

/** @param {View} view @returns {Generator<Part>} */
function* cells({box: [, , width, height], m, scene: {surface, ramp}, sun, ink}) {
  const {positions, normals, shares, columns} = surface
  const projected = Array.from(shares, (_, at) => project(m, positions.subarray(3 * at, 3 * at + 3), width, height))
  for (const cell of surface.closed) {
    const four = corners(cell, columns)
    const mean = (/** @type {(at: number) => number} */ list) => four.reduce((sum, at) => sum + list(at), 0) / 4
    const light =
      SHADE[0] +
      SHADE[1] * Math.abs([0, 1, 2].reduce((sum, axis) => sum + sun[axis] * mean(at => normals[3 * at + axis]), 0))
    const color = onRamp(
      ramp,
      mean(at => shares[at]),
    ).map(channel => Math.min(1, channel * light))
    const large =
      Math.hypot(projected[four[2]][0] - projected[four[0]][0], projected[four[2]][1] - projected[four[0]][1]) > GRID
    yield {
      depth: mean(at => projected[at][2]),
      draw: context => {
        context.beginPath()
        for (const at of four) context.lineTo(projected[at][0], projected[at][1])
        context.closePath()
        context.fillStyle = css(color)
        context.fill()
        context.lineWidth = 0.7
        context.strokeStyle = large ? css(color.map((channel, at) => channel * 0.84 + ink[at] * 0.16)) : css(color)
        context.stroke()
      },
    }
  }
}

// Lines in the order of their table; successive ones of the same look are one stroke.
/** @param {CanvasRenderingContext2D} context @param {Float32Array} numbers @param {View} view */
function strokes(context, numbers, {box: [, , width, height], m}) {
  let before = ''
  for (let at = 0; at < numbers.length; at += STRIDE) {
    const [start, end] = [numbers.subarray(at, at + 3), numbers.subarray(at + 3, at + 6)].map(point =>
      project(m, point, width, height),
    )
    const [red, green, blue, alpha, thick] = numbers.subarray(at + 6, at + STRIDE),
      look = [red, green, blue, alpha, thick].join()
    if (look !== before) {
      if (before) context.stroke()
      context.beginPath()
      Object.assign(context, {
        lineWidth: thick,
        lineCap: alpha < 1 ? 'butt' : 'round',
        strokeStyle: css([red, green, blue], alpha),
      })
      before = look
    }
    context.moveTo(start[0], start[1])
    context.lineTo(end[0], end[1] + (start[0] === end[0] && start[1] === end[1] ? 0.01 : 0))
  }
  if (before) context.stroke()
}

/** @param {Float32Array} numbers @param {View} view @param {number} longest @returns {Generator<Part>} */
function* pieces(
  numbers,
  {
    box: [, , width, height],
    m,
    scene: {
      surface: {columns},
    },
  },
  longest,
) {
  const near = 0.9 / (columns - 1) // depth of half a cell: a line on a cell is nearer than the cell's center
  for (let at = 0; at < numbers.length; at += STRIDE) {
    const from = numbers.subarray(at, at + 3),
      to = numbers.subarray(at + 3, at + 6)
    const [red, green, blue, alpha, thick, lift] = numbers.subarray(at + 6, at + STRIDE)
    const way = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]),
      parts = Math.max(1, Math.ceil(way / longest))
    const between = (/** @type {number} */ share) =>
      project(
        m,
        [0, 1, 2].map(axis => from[axis] + share * (to[axis] - from[axis])),
        width,
        height,
      )
    for (let part = 0; part < parts; part++) {
      const [start, end] = [between(part / parts), between((part + 1) / parts)]
      yield {
        depth: (start[2] + end[2]) / 2 - lift - near,
        draw: context => {
          context.beginPath()
          context.moveTo(start[0], start[1])
          context.lineTo(end[0], end[1] + (way ? 0 : 0.01))
          context.lineWidth = thick
          context.lineCap = alpha < 1 || (thick > RIM && way) ? 'butt' : 'round'
          context.strokeStyle = css([red, green, blue], alpha)
          context.stroke()
        },
      }
    }
  }
}
