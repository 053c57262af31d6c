// A table as a picture: what app/pictures/charts/cells.py does when it is shown.

/** @typedef {{row: string, column: string, kind: string, text: string, share: number}} Cell `share`: how much of its lane is filled */

const CELL = 58,
  AROUND = 84 // pixels
const HEIGHT = 0.28, // of a lane above the middle of its cell, and half its length, in cells
  HALF = 0.4

/**
 * `Cells.show`: the first row is on top.
 * @param {import('../picture.js').Picture} picture @param {string} path @param {string[]} kinds all kinds of cells
 * @param {string[]} rows @param {string[]} columns @param {Cell[]} cells @param {{row: string, column: string}[]} framed
 */
export function showCells(picture, path, kinds, rows, columns, cells, framed) {
  picture.set(`${path}._columns`, {factors: columns})
  picture.set(`${path}._rows`, {factors: rows.toReversed()})
  picture.set(`${path}.figure`, {height: AROUND + CELL * rows.length})
  for (const kind of kinds) {
    const own = cells.filter(cell => cell.kind === kind)
    picture.set(`${path}._fills.${kind}`, {data: placed(own)})
    picture.set(`${path}._lanes.${kind}`, {data: lines(own.filter(({share}) => share))})
  }
  picture.set(`${path}._tracks`, {data: lines(cells.map(cell => ({...cell, share: 1})))})
  picture.set(`${path}._texts`, {data: {...placed(cells), text: cells.map(({text}) => text)}})
  picture.set(`${path}._frames`, {data: placed(framed)})
}

/** @param {{row: string, column: string}[]} cells */
const placed = cells => ({column: cells.map(({column}) => column), row: cells.map(({row}) => row)})

/** Lines that fill a share of the lane of each cell. @param {Cell[]} cells */
const lines = cells => ({
  x0: cells.map(({column}) => [column, -HALF]),
  x1: cells.map(({column, share}) => [column, HALF * (2 * share - 1)]),
  y: cells.map(({row}) => [row, HEIGHT]),
})
