import assert from 'node:assert/strict'
import {test} from 'node:test'
import {anki, calendar} from '../../app/static/exercises/review/files.js'

// -- Anki: https://docs.ankiweb.net/importing/text-files.html ---------------------------------------------------------

const HEADERS = new Set(['separator', 'html', 'tags', 'columns', 'notetype', 'deck', 'guid column', 'tags column'])

/** Read the file as Anki does: lines that begin with # are headers until one does not; then CSV with its separator. */
function imported(text) {
  const headers = {}
  let rest = text
  while (rest.startsWith('#')) {
    const end = rest.indexOf('\n')
    const [key, ...value] = rest.slice(1, end).split(':')
    assert.ok(HEADERS.has(key), key)
    assert.ok(!(key in headers), key)
    headers[key] = value.join(':')
    rest = rest.slice(end + 1)
  }
  assert.equal(headers.separator, 'tab')
  const rows = [['']]
  let quoted = false
  for (let at = 0; at < rest.length; at += 1) {
    const row = rows.at(-1)
    if (rest[at] === '"' && quoted && rest[at + 1] === '"') {
      row[row.length - 1] += '"'
      at += 1
    } else if (rest[at] === '"') {
      assert.ok(quoted || row.at(-1) === '', 'a quotation mark within a field')
      quoted = !quoted
    } else if (rest[at] === '\t' && !quoted) row.push('')
    else if (rest[at] === '\n' && !quoted) rows.push([''])
    else row[row.length - 1] += rest[at]
  }
  assert.equal(quoted, false)
  assert.deepEqual(rows.pop(), [''])
  return {headers, rows}
}

const NOTES = [
  {id: 'toy.a', front: '<p>Is 1\t<b>more</b>\nthan "0"?</p>', back: '#yes; <a href="x">y</a>', page: 'toy'},
  {id: 'toy.b', front: '', back: 'α · π', page: 'toy'},
]

test('Anki reads the notes as they were', () => {
  const {headers, rows} = imported(anki(NOTES))
  assert.equal(headers.html, 'true')
  assert.equal(headers.notetype, 'Basic')
  assert.deepEqual(headers.columns.split('\t'), ['Id', 'Front', 'Back', 'Tags'])
  assert.equal(headers.columns.split('\t')[Number(headers['guid column']) - 1], 'Id')
  assert.equal(headers.columns.split('\t')[Number(headers['tags column']) - 1], 'Tags')
  assert.deepEqual(rows, [
    ['skip-connections.toy.a', '<p>Is 1 <b>more</b> than "0"?</p>', '#yes; <a href="x">y</a>', 'skip-connections::toy'],
    ['skip-connections.toy.b', '', 'α · π', 'skip-connections::toy'],
  ])
})

test('no note can be taken for a header', () => {
  assert.deepEqual(imported(anki([{id: '#html:false', front: '#deck:x', back: '', page: 'toy'}])).rows.length, 1)
})

// -- Calendar: RFC 5545 -----------------------------------------------------------------------------------------------

const ONCE = {
  VCALENDAR: {VERSION: /^2\.0$/, PRODID: /^.+$/},
  VEVENT: {
    UID: /^[\w.-]+@[\w.-]+$/,
    DTSTAMP: /^\d{8}T\d{6}Z$/,
    'DTSTART;VALUE=DATE': /^\d{8}$/,
    SUMMARY: /^(?:[^\\;,]|\\[\\;,n])+$/,
    DESCRIPTION: /^(?:[^\\;,]|\\[\\;,n])+$/,
    URL: /^https?:\/\/\S+$/,
    TRANSP: /^(OPAQUE|TRANSPARENT)$/,
  },
}

/** The events of a calendar. Strict: fails on anything that the standard does not allow, or that we do not write. */
function events(text) {
  assert.ok(text.endsWith('\r\n'))
  const physical = text.slice(0, -2).split('\r\n')
  for (const line of physical) {
    assert.ok(Buffer.byteLength(line) <= 75, line)
    assert.ok(!/[\r\n\p{Cc}]/u.test(line), line)
    assert.ok(!line.includes('\ufffd'), line)
  }
  const lines = physical.join('\r\n').replaceAll('\r\n ', '').split('\r\n')
  const open = [],
    found = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1)]
    if (name === 'BEGIN') open.push({kind: value, values: {}})
    else if (name === 'END') {
      const {kind, values} = open.pop()
      assert.equal(kind, value)
      assert.deepEqual(Object.keys(values).sort(), Object.keys(ONCE[kind]).sort())
      if (kind === 'VEVENT') found.push(values)
    } else {
      const {kind, values} = open.at(-1)
      assert.match(value, ONCE[kind][name], name)
      assert.ok(!(name in values), name)
      values[name] = value
    }
  }
  assert.deepEqual(open, [])
  return found
}

const DAY = 86_400_000
const NOW = new Date(2027, 0, 31, 9).getTime()
const ADDRESS = `https://example.org/${'a-long-address/'.repeat(9)}ünïcödé/review`

test('each day with questions is one entry, and what is overdue is due today', () => {
  const dues = [NOW + DAY, NOW - 5 * DAY, NOW + DAY, NOW + 400 * DAY, NOW]
  const found = events(calendar(dues, NOW, ADDRESS))
  assert.deepEqual(
    found.map(event => [event['DTSTART;VALUE=DATE'], event.SUMMARY.split(' ')[0]]),
    [
      ['20270131', '2'],
      ['20270201', '2'],
      ['20280306', '1'],
    ],
  )
  assert.equal(new Set(found.map(event => event.UID)).size, 3)
  assert.equal(found[0].URL, ADDRESS)
  assert.match(found[2].SUMMARY, /^1 question about/)
})

test('a calendar without entries is still a calendar', () => {
  assert.deepEqual(events(calendar([], NOW, 'http://localhost:5006/review')), [])
})
