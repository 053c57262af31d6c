// A table that is also a legend: what app/pictures/charts/key_table.py does when it is shown.
import {sourceOf} from '../picture.js'

const NAME = 0.075 // where the names start, in a width of 1

/**
 * `KeyTable.show`.
 * @param {import('../picture.js').Picture} picture @param {string} path @param {string[]} names of the rows
 * @param {Record<string, number>} columns heading → where its numbers end @param {string[][]} rows
 */
export function showKeyTable(picture, path, names, columns, rows) {
  const ends = Object.values(columns)
  const cells = rows.flatMap((texts, row) => [
    [NAME, -row - 0.5, names[row], 'left'],
    ...texts.map((text, column) => [ends[column], -row - 0.5, text, 'right']),
  ])
  for (const [heading, x] of Object.entries(columns)) cells.push([x, 0.5, heading, 'right'])
  picture.set(`${path}._cells`, {data: sourceOf(['x', 'y', 'text', 'align'], cells)})
}
