// JSON that was prepared for a page. A static copy holds it compressed, since no server compresses it on its way.
import {STATIC} from './static-copy.js'

const GZIP = [0x1f, 0x8b]

/** @param {string} address @returns {Promise<any>} */
export async function preparedJson(address) {
  const answer = await fetch(STATIC ? `${address}.packed` : address)
  if (!answer.ok) throw Object.assign(new Error(`the server answered ${answer.status}`), {status: answer.status})
  return STATIC ? unpacked(await answer.arrayBuffer()) : answer.json()
}

// Some servers unpack such a file themselves.
/** @param {ArrayBuffer} buffer */
async function unpacked(buffer) {
  const bytes = new Uint8Array(buffer)
  const isPacked = GZIP.every((byte, at) => bytes[at] === byte)
  const stream = new Blob([buffer]).stream()
  return new Response(isPacked ? stream.pipeThrough(new DecompressionStream('gzip')) : stream).json()
}
