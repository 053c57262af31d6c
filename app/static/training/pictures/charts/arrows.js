// A plane with arrows: what app/pictures/charts/arrows.py does when it is shown, and where its input is dragged to.
import {texted} from '../../parameters.js'
import {snapped} from '../picture.js'

/** @typedef {import('../picture.js').Picture} Picture */
/** @typedef {[x: number, y: number]} Place */

/**
 * `Arrows.show`: by name, the tails and tips of some arrows.
 * @param {Picture} picture @param {string} path @param {Record<string, [tail: Place, tip: Place][]>} arrows
 */
export function showArrows(picture, path, arrows) {
  fitSquare(picture, `${path}.figure`, Object.values(arrows).flat(3))
  for (const [name, own] of Object.entries(arrows))
    picture.set(`${path}._sources.${name}`, {
      data: {
        x0: own.map(([[x]]) => x),
        y0: own.map(([[, y]]) => y),
        x1: own.map(([, [x]]) => x),
        y1: own.map(([, [, y]]) => y),
      },
    })
}

/** Both axes end at the same power of two beyond all numbers. @param {Picture} picture @param {string} plot @param {number[]} numbers */
export function fitSquare(picture, plot, numbers) {
  const farthest = Math.max(0, ...numbers.filter(Number.isFinite).map(Math.abs))
  const reach = 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(1.1 * farthest, 1e-9))))
  for (const axis of ['x_range', 'y_range']) picture.set(`${plot}.${axis}`, {start: -reach, end: reach})
}

const GESTURES = ['tap', 'panstart', 'pan']

/**
 * The input that a gesture in the plane sets, within −`most` to `most`; null if it sets none.
 * @param {{event_name?: string, x?: number, y?: number}} gesture @param {number} most
 * @returns {Values | null}
 */
export function draggedInput({event_name: kind = '', x, y}, most) {
  if (!GESTURES.includes(kind) || typeof x !== 'number' || typeof y !== 'number') return null
  return {x1: texted(snapped(x, -most, most)), x2: texted(snapped(y, -most, most))}
}
