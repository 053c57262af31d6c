// SHA-256 (FIPS 180-4). The browser's own is missing on sites without encryption, such as one on a teacher's computer.
const ROUNDS = 64,
  BLOCK = 64 // bytes

const primes = (() => {
  const /** @type {number[]} */ list = []
  for (let number = 2; list.length < ROUNDS; number++) if (list.every(prime => number % prime)) list.push(number)
  return list
})()

// The first 32 bits after the point of roots of primes. Double precision has 53, and these roots are below 8.
const fraction = (/** @type {number} */ number) => Math.floor((number - Math.floor(number)) * 2 ** 32)
const START = primes.slice(0, 8).map(prime => fraction(Math.sqrt(prime)))
const CONSTANTS = Int32Array.from(primes, prime => fraction(Math.cbrt(prime)))

const turned = (/** @type {number} */ word, /** @type {number} */ by) => (word >>> by) | (word << (32 - by))

/** The digest of bytes, in hexadecimal digits. @param {Uint8Array} bytes */
export function sha256(bytes) {
  const whole = bytes.length - (bytes.length % BLOCK)
  const rest = bytes.subarray(whole)
  const last = new Uint8Array(rest.length + 9 > BLOCK ? 2 * BLOCK : BLOCK)
  last.set(rest)
  last[rest.length] = 0x80
  new DataView(last.buffer).setBigUint64(last.length - 8, BigInt(bytes.length) * 8n)
  const state = Int32Array.from(START)
  for (const part of [bytes.subarray(0, whole), last]) add(state, part)
  return Array.from(state, word => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

const words = new Int32Array(ROUNDS)

/** Takes whole blocks into a state of eight words. @param {Int32Array} state @param {Uint8Array} bytes */
function add(state, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.length; at += BLOCK) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i)
    for (let i = 16; i < ROUNDS; i++) {
      const near = words[i - 2],
        far = words[i - 15]
      words[i] =
        words[i - 16] +
        words[i - 7] +
        (turned(far, 7) ^ turned(far, 18) ^ (far >>> 3)) +
        (turned(near, 17) ^ turned(near, 19) ^ (near >>> 10))
    }
    let [a, b, c, d, e, f, g, h] = state
    for (let i = 0; i < ROUNDS; i++) {
      const first =
        (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + CONSTANTS[i] + words[i]) | 0
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + first) | 0
      d = c
      c = b
      b = a
      a = (first + second) | 0
    }
    for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] += word
  }
}
