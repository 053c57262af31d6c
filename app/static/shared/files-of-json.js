// A static copy keeps of most states only the JSON file: the table and the CSV file hold the same numbers. They are
// written with the digits of the JSON, which are Python's.

export const ROWS = 200 // the most rows of a table on the page
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const DIGITS = '\uE000' // begins a text that is a number; no word of a simulation has this character

/** @typedef {{label: string, unit: string, axes: string[], values: any}} Written */

/**
 * All replies of a state: those that were kept, and those that follow from its JSON.
 * @param {PreparedNumbers} replies
 * @returns {PreparedNumbers}
 */
export function completed(replies) {
  const {json} = replies
  if (!json || replies.csv) return replies
  const {entries} = /** @type {{entries: [string, string][]}} */ (json.msg_data)
  const {file, content} = Object.fromEntries(entries)
  const tables = tablesOf(content)
  const {provenance} = /** @type {{provenance: string}} */ (JSON.parse(content))
  return {
    table: reply({tables: tables.map(table => pairs(shown(table)))}),
    csv: reply({file: file.replace(/json$/, 'csv'), type: 'text/csv', content: csv(tables, provenance)}),
    ...replies,
  }
}

/** @param {object} data */
const reply = data => ({kind: 'MessageSent', msg_type: 'reply', msg_data: pairs(data)})

/** @param {object} data */
const pairs = data => ({type: 'map', entries: Object.entries(data)})

/**
 * One table for every set of axes, its cells as the JSON has them.
 * @param {string} content
 */
export function tablesOf(content) {
  const marked = content.replace(TOKENS, token => (token[0] === '"' ? token : `"${DIGITS}${token}"`))
  const quantities = /** @type {Written[]} */ (Object.values(JSON.parse(marked).quantities))
  const groups = Map.groupBy(quantities, ({axes, values}) => `${axes} ${shapeOf(values)}`)
  return [...groups.values()].map(group => {
    const shape = shapeOf(group[0].values)
    const columns = group.map(({values}) => [values].flat(Infinity))
    return {
      header: [...group[0].axes, ...group.map(({label, unit}) => `${label} [${unit}]`)],
      rows: columns[0].map((_, row) => [
        ...place(row, shape).map(index => DIGITS + index),
        ...columns.map(column => column[row]),
      ]),
    }
  })
}

/** @param {any} values @returns {number[]} */
const shapeOf = values => (Array.isArray(values) ? [values.length, ...(values.length ? shapeOf(values[0]) : [])] : [])

/** The indices of a value in an array of this shape. @param {number} index @param {number[]} shape */
export function place(index, shape) {
  const indices = []
  for (const length of shape.toReversed()) {
    indices.unshift(index % length)
    index = Math.floor(index / length)
  }
  return indices
}

/** @param {{header: string[], rows: any[][]}} table */
const shown = ({header, rows}) => ({
  header,
  rows: rows.slice(0, ROWS).map(row => row.map(value => (isNumber(value) ? Number(value.slice(1)) : value))),
  left_out: Math.max(rows.length - ROWS, 0),
})

/** @param {any} value a text, or true or false */
const isNumber = value => typeof value === 'string' && value.startsWith(DIGITS)

/** @param {{header: string[], rows: any[][]}[]} tables @param {string} provenance */
function csv(tables, provenance) {
  const lines = provenance.split('\n').map(line => `# ${line}`)
  for (const {header, rows} of tables) {
    lines.push(header.map(cell).join(','))
    for (const row of rows) lines.push(row.map(value => cell(written(value))).join(','))
    lines.push('')
  }
  return lines.map(line => `${line}\n`).join('')
}

/** @param {any} value */
const written = value =>
  isNumber(value) ? value.slice(1) : typeof value === 'boolean' ? (value ? 'True' : 'False') : value

/** A cell of a CSV file. @param {string} text */
export const cell = text => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
