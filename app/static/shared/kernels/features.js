// What of WebAssembly this browser has.

/** Bytes of a module whose one function makes a vector of 128 bits. */
const VECTOR = [
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x05, 0x01, 0x60, 0x00, 0x01, 0x7b, 0x03, 0x02, 0x01, 0x00,
  0x0a, 0x0a, 0x01, 0x08, 0x00, 0x41, 0x00, 0xfd, 0x0f, 0xfd, 0x62, 0x0b,
]

/** Bytes of a module whose function `f` takes three numbers a, b, c to a · b + c, by the relaxed instruction. */
const PRODUCT = [
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x01, 0x60, 0x03, 0x7d, 0x7d, 0x7d, 0x01, 0x7d, 0x03,
  0x02, 0x01, 0x00, 0x07, 0x05, 0x01, 0x01, 0x66, 0x00, 0x00, 0x0a, 0x16, 0x01, 0x14, 0x00, 0x20, 0x00, 0xfd, 0x13,
  0x20, 0x01, 0xfd, 0x13, 0x20, 0x02, 0xfd, 0x13, 0xfd, 0x85, 0x02, 0xfd, 0x1f, 0x00, 0x0b,
]

/** @typedef {'none' | 'scalar' | 'vectors' | 'relaxed' | 'fused'} Level each includes those before it */

/**
 * No WebAssembly; WebAssembly; its vectors; relaxed instructions; and products and sums that these round once, as the
 * processor of a server does. The last is only known from a product: (1 + 2⁻¹²)² − (1 + 2⁻¹¹) is 2⁻²⁴, or 0 if the
 * square is rounded before the subtraction.
 * @returns {Level}
 */
export function level(wasm = globalThis.WebAssembly) {
  if (typeof wasm !== 'object' || !wasm?.validate) return 'none'
  if (!wasm.validate(new Uint8Array(VECTOR))) return 'scalar'
  const bytes = new Uint8Array(PRODUCT)
  if (!wasm.validate(bytes)) return 'vectors'
  const {f} = /** @type {{f: (a: number, b: number, c: number) => number}} */ (
    /** @type {unknown} */ (new wasm.Instance(new wasm.Module(bytes)).exports)
  )
  const near = 1 + 2 ** -12
  return f(near, near, -(1 + 2 ** -11)) === 2 ** -24 ? 'fused' : 'relaxed'
}
