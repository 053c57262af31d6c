// NumPy's archives of arrays: a ZIP file (PKWARE's APPNOTE 6.3.10, sections 4.3.7 to 4.3.16) of files in NumPy's format 1.0
// (numpy.lib.format). Nothing is compressed.

const BLOCK = 64 // bytes: the header of an array ends at a multiple
const VERSION = 20 // of ZIP that is needed: 2.0
const DAY = 0x21 // 1 January 1980, the first day that ZIP knows

/** @typedef {Quantity['values'] | BigInt64Array | string} Content whole numbers are written with 64 bits, but for bytes; a text has no dimensions */

/** `texts` are the words that numbers stand for. @param {Record<string, {content: Content, shape: number[], texts?: string[]}>} arrays */
export function archive(arrays) {
  const /** @type {Uint8Array[]} */ parts = [],
    /** @type {Uint8Array[]} */ directory = []
  let at = 0
  for (const [name, {content, shape, texts}] of Object.entries(arrays)) {
    const title = new TextEncoder().encode(`${name}.npy`)
    const data = file(content, shape, texts)
    const shared = [
      ...[two(VERSION), two(0), two(0), two(0), two(DAY)], // version, flags, method, time, date
      ...[four(checksum(data)), four(data.length), four(data.length), two(title.length), two(0)],
    ]
    const local = joined([four(0x04034b50), ...shared, title])
    const place = [two(0), two(0), two(0), four(0), four(at)] // comment, disk, attributes within and outside, offset
    directory.push(joined([four(0x02014b50), two(VERSION), ...shared, ...place, title]))
    parts.push(local, data)
    at += local.length + data.length
  }
  const listed = joined(directory)
  const count = directory.length
  const sizes = [two(0), two(0), two(count), two(count), four(listed.length), four(at), two(0)]
  return joined([...parts, listed, four(0x06054b50), ...sizes])
}

/** An array in NumPy's format. @param {Content} content @param {number[]} shape @param {string[]} [texts] */
function file(content, shape, texts) {
  const [kind, data] = texts ? words(/** @type {Quantity['values']} */ (content), texts) : bytes(content)
  const dimensions = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  const header = `{'descr': '${kind}', 'fortran_order': False, 'shape': (${dimensions}), }`
  const before = 10 // bytes: the magic text, the version, and the length of the header
  const length = Math.ceil((before + header.length + 1) / BLOCK) * BLOCK - before
  const text = new TextEncoder().encode(`${header.padEnd(length - 1)}\n`)
  return joined([Uint8Array.of(0x93), new TextEncoder().encode('NUMPY'), Uint8Array.of(1, 0), two(length), text, data])
}

/** What NumPy calls the type of the numbers, and their bytes. @param {Content} content @returns {[string, Uint8Array]} */
function bytes(content) {
  if (typeof content === 'string') return words([0], [content])
  const numbers = content instanceof Int32Array ? BigInt64Array.from(content, BigInt) : content
  const data = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
  if (numbers instanceof Uint8Array) return ['|u1', data]
  return [numbers instanceof BigInt64Array ? '<i8' : `<f${numbers.BYTES_PER_ELEMENT}`, data]
}

/** The words that numbers stand for, all as long as the longest. @param {ArrayLike<number>} places @param {string[]} texts @returns {[string, Uint8Array]} */
function words(places, texts) {
  const letters = texts.map(text => Array.from(text, letter => letter.codePointAt(0) ?? 0))
  const longest = Math.max(...letters.map(({length}) => length))
  // A character takes four bytes.
  const all = new Uint32Array(places.length * longest)
  for (let at = 0; at < places.length; at++) all.set(letters[places[at]], at * longest)
  return [`<U${longest}`, new Uint8Array(all.buffer)]
}

const two = (/** @type {number} */ number) => new Uint8Array(Uint16Array.of(number).buffer)
const four = (/** @type {number} */ number) => new Uint8Array(Uint32Array.of(number).buffer)

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const TABLE = Uint32Array.from({length: 256}, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/** CRC-32, as ZIP computes it. @param {Uint8Array} data */
function checksum(data) {
  let rest = 0xffffffff
  for (const byte of data) rest = TABLE[(rest ^ byte) & 0xff] ^ (rest >>> 8)
  return (rest ^ 0xffffffff) >>> 0
}
