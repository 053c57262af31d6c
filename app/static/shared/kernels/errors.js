// Why kernels cannot run in this browser.

export class Unable extends Error {
  constructor(/** @type {string} */ message, /** @type {ErrorOptions} */ options = {}) {
    super(message, options)
    this.name = new.target.name
  }
}

export class NoWebAssembly extends Unable {}
export class NoVectors extends Unable {}
export class OtherVersion extends Unable {}
export class NoMemory extends Unable {}
