// Horizontal bars with texts: what app/pictures/charts/lanes.py does when it is shown.
const LANE = 26,
  FRAME = 74 // heights in pixels: of a lane, and of everything around them
const ROOM = 0.3 // share of the width for the texts

/**
 * `Lanes.show` on a linear axis, with bars of one kind and finite values; the first name is on top.
 * @param {import('../pictures.js').Picture} picture @param {string} path @param {string} kind of the bars
 * @param {string[]} names @param {number[]} values @param {string[]} texts
 */
export function showLanes(picture, path, kind, names, values, texts) {
  picture.set(`${path}._range`, {factors: names.toReversed()})
  picture.set(`${path}.figure`, {height: FRAME + LANE * names.length})
  const end = Math.max(...values) / (1 - ROOM)
  picture.set(`${path}.figure.x_range`, {start: 0, end})
  picture.set(`${path}._bars.${kind}`, {data: {name: names, left: names.map(() => 0), right: values}})
  picture.set(`${path}._texts`, {data: {name: names, x: names.map(() => end), text: texts}})
}
