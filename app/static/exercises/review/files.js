// What readers take along: notes for Anki, and entries for a calendar. Texts in, texts out.

/**
 * @typedef {object} Note one question, as HTML
 * @property {string} id
 * @property {string} front
 * @property {string} back
 * @property {string} page its slug, which becomes a tag
 */

const DECK = 'Skip Connections'

// Fields are always quoted, so that a quotation mark in one of them is two.
const field = (/** @type {string} */ text) => `"${text.replace(/\s+/g, ' ').trim().replaceAll('"', '""')}"`

// Notes as a text file with the headers of https://docs.ankiweb.net/importing/text-files.html. The first column
// identifies a note, so that importing it again replaces it.
/** @param {Note[]} notes */
export function anki(notes) {
  const head = [
    '#separator:tab',
    '#html:true',
    '#notetype:Basic',
    `#deck:${DECK}`,
    '#columns:Id\tFront\tBack\tTags',
    '#guid column:1',
    '#tags column:4',
  ]
  const lines = notes.map(({id, front, back, page}) =>
    [`skip-connections.${id}`, front, back, `skip-connections::${page}`].map(field).join('\t'),
  )
  return `${[...head, ...lines].join('\n')}\n`
}

const LONGEST = 75 // bytes of a line, by RFC 5545

// A line that is too long goes on in the next one, after a space.
/** @param {string} line */
function folded(line) {
  const encoder = new TextEncoder()
  const lines = ['']
  let length = 0
  for (const letter of line) {
    const size = encoder.encode(letter).length
    if (length + size > LONGEST) {
      lines.push(' ')
      length = 1
    }
    lines[lines.length - 1] += letter
    length += size
  }
  return lines.join('\r\n')
}

const escaped = (/** @type {string} */ text) => text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')
const two = (/** @type {number} */ value) => String(value).padStart(2, '0')
const day = (/** @type {Date} */ date) => `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`
const moment = (/** @type {Date} */ date) => `${date.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

// A calendar (RFC 5545) with an entry for every day on which questions are due; what is overdue is due today.
/** @param {number[]} dues milliseconds @param {number} now @param {string} address of the page where they are answered */
export function calendar(dues, now, address) {
  /** @type {Map<string, number>} */
  const days = new Map()
  for (const due of [...dues].sort((a, b) => a - b)) {
    const date = day(new Date(Math.max(due, now)))
    days.set(date, (days.get(date) ?? 0) + 1)
  }
  const host = new URL(address).hostname || 'localhost'
  const events = [...days].flatMap(([date, count]) => [
    'BEGIN:VEVENT',
    `UID:review-${date}@${host}`,
    `DTSTAMP:${moment(new Date(now))}`,
    `DTSTART;VALUE=DATE:${date}`,
    `SUMMARY:${escaped(`${count} ${count === 1 ? 'question' : 'questions'} about skip connections`)}`,
    `DESCRIPTION:${escaped(`Questions that you have answered come back: ${address}`)}`,
    `URL:${address}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Skip Connections//Review//EN', ...events, 'END:VCALENDAR']
  return lines.map(line => `${folded(line)}\r\n`).join('')
}
