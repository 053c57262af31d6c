// A table that is also a legend: what app/pictures/charts/key_table.py does when it is shown.
const NAME = 0.075 // where the names start, in a width of 1

/**
 * `KeyTable.show`.
 * @param {import('../pictures.js').Picture} picture @param {string} path @param {string[]} names of the rows
 * @param {Record<string, number>} columns heading → where its numbers end @param {string[][]} rows
 */
export function showKeyTable(picture, path, names, columns, rows) {
  const ends = Object.values(columns)
  const cells = rows.flatMap((texts, row) => [
    {x: NAME, y: -row - 0.5, text: names[row], align: 'left'},
    ...texts.map((text, column) => ({x: ends[column], y: -row - 0.5, text, align: 'right'})),
  ])
  for (const [text, x] of Object.entries(columns)) cells.push({x, y: 0.5, text, align: 'right'})
  picture.set(`${path}._cells`, {
    data: {
      x: cells.map(({x}) => x),
      y: cells.map(({y}) => y),
      text: cells.map(({text}) => text),
      align: cells.map(({align}) => align),
    },
  })
}
