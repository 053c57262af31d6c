// The numbers of a room's table for the concept inventory: rows for the page, and the same as CSV.

const ENOUGH = 10 // people by whom a table exceeds the one before (app/server/classroom/room_inventory.py)

// Right before, right after; then right in both rounds, only before, only after, and in neither.
/** @param {[[number, number], [number, number]]} counts by right or not before (rows) and after (columns) */
export function row([[both, before], [after, neither]]) {
  return [both + before, both + after, both, before, after, neither]
}

// What the teacher is told, and whether the table can be shown, or shown again.
/** @param {RoomInventory} inventory */
export function status({sent, table}) {
  const since = sent - (table?.people ?? 0)
  const enough = since >= ENOUGH
  if (!table)
    return {
      enough,
      words: enough
        ? `${sent} have sent both rounds.`
        : `${sent} of ${ENOUGH} have sent both rounds. From ${ENOUGH} on you can see the table.`,
    }
  const later = since ? ` ${since} ${since === 1 ? 'has' : 'have'} sent since.` : ''
  const again = enough ? '' : ` ${ENOUGH} new ones are needed to show it again.`
  return {enough, words: `The table has the answers of ${table.people} people.${later}${again}`}
}

/** @typedef {{name: string, numbers: number[]}} Row */
/** @param {Row[]} concepts @param {Row[]} misconceptions */
export function csv(concepts, misconceptions) {
  const cell = (/** @type {string | number} */ value) =>
    /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value)
  return [
    ['part', 'name', 'before', 'after', 'both', 'only before', 'only after', 'neither'],
    ...concepts.map(({name, numbers}) => ['right', name, ...numbers]),
    ...misconceptions.map(({name, numbers}) => ['believed', name, ...numbers, '', '', '', '']),
  ]
    .map(cells => `${cells.map(cell).join(',')}\r\n`)
    .join('')
}
