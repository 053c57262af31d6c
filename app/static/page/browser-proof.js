// "Your browser against ours": trains in this browser, and shows whether every bit is the one that our code made.
import {formatted, number} from '../shared/numbers.js'

/** @typedef {import('../shared/kernels/worker.js').Report} Report */
/** @typedef {import('../shared/kernels/worker.js').Compared} Compared */

const SHOWN = 8 // digits of a digest, of 64

/** @type {Record<string, Record<string, string>>} */
const CALLS = {
  perceptrons: {
    run: 'One training step of chapter 0’s plain network',
    evaluate: 'Its loss and its errors on the training points',
    answer: 'Its outputs for 100 points',
  },
  transformers: {
    run: 'One training step of a transformer',
    evaluate: 'Its loss and its errors on the training points',
    answer: 'Its outputs for 100 points',
  },
  language: {
    run: 'One training step of a language model',
    one_pass: 'The gradient of its stream, for a piece of text',
    forward: 'What the model computes for a piece of text',
  },
  weighted_stack: {
    run: 'One training step of a network with a switch at every plus sign',
    evaluate: 'Its loss and its errors on the training images',
  },
}

const TWICE =
  'It runs the module “plain”, which rounds a product and its sum twice: other last digits are to be expected.'

const HAS = {
  none: '',
  scalar: '',
  vectors: `This browser has WebAssembly with vectors (SIMD), but without relaxed instructions. ${TWICE}`,
  relaxed: `This browser has WebAssembly with vectors (SIMD), but its relaxed instructions round twice here. ${TWICE}`,
  fused:
    'This browser has WebAssembly with vectors (SIMD), and relaxed instructions that round a product and its sum once. ' +
    'It runs the module “fused”, which rounds as our own code does.',
}

class Proof {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section
    this.button = section.querySelector('button')
    this.progress = section.querySelector('progress')
    this.has = section.querySelector('.proof-has')
    this.table = section.querySelector('.table')
    this.rows = section.querySelector('tbody')
    this.end = section.querySelector('.proof-end')
    this.variant = 'fused'
    this.wrong = 0
    this.button.hidden = false
    this.button.addEventListener('click', () => this.begin())
  }

  begin() {
    this.button.disabled = true
    this.progress.hidden = false
    this.progress.removeAttribute('value')
    this.rows.replaceChildren()
    this.end.textContent = ''
    this.wrong = 0
    const {kernels, version} = this.section.dataset
    const worker = new Worker(new URL('../shared/kernels/worker.js', import.meta.url), {type: 'module'})
    const over = (/** @type {string} */ words) => {
      worker.terminate()
      this.button.disabled = false
      this.progress.hidden = true
      this.end.textContent = words
    }
    worker.addEventListener('message', (/** @type {MessageEvent<Report>} */ {data}) => this.take(data, over))
    worker.addEventListener('error', event => {
      event.preventDefault() // it is said here
      over('This browser did not start the training: it may not allow threads of pages that are files on a disk.')
    })
    worker.postMessage({folder: new URL(kernels, document.baseURI).href, version})
  }

  /** @param {Report} report @param {(words: string) => void} over */
  take(report, over) {
    switch (report.kind) {
      case 'has':
        this.variant = report.variant
        this.has.textContent = HAS[report.level]
        break
      case 'call':
        this.row(CALLS[report.engine][report.kernel], report.compared)
        break
      case 'run':
        this.progress.max = report.steps
        this.progress.value = report.step
        break
      case 'end':
        this.row('The whole training of chapter 0’s plain network', report.compared)
        over(this.sentence(report.error, report.theirs, report.milliseconds))
        break
      case 'unable':
        over(`${report.message} Nothing was trained; all figures work without this.`)
        break
      case 'failed':
        over(`The training has stopped: ${report.message}.`)
    }
  }

  /** @param {string} what @param {Compared} compared */
  row(what, {ours, yours, wrong}) {
    this.table.hidden = false
    this.wrong += wrong.length
    const row = this.rows.insertRow()
    const head = row.appendChild(document.createElement('th'))
    head.scope = 'row'
    head.textContent = what
    row.insertCell().append(code(ours))
    row.insertCell().append(code(yours), wrong.length ? ' differs' : ' equal')
    row.dataset.equal = String(!wrong.length)
  }

  /** @param {number} error @param {number} theirs @param {number} milliseconds */
  sentence(error, theirs, milliseconds) {
    const took = `The run took ${number(milliseconds / 1000, 2)} seconds.`
    if (!this.wrong)
      return `All bits are equal. ${took} It ends at a training error of ${formatted(error, '%')}, here and in chapter 0.`
    const ends = `It ends at a training error of ${formatted(error, '%')}, and ours at ${formatted(theirs, '%')}.`
    if (this.variant === 'plain')
      return `Bits differ, as they must where products are rounded twice. ${took} ${ends} Both are runs of the same network.`
    return `Bits differ, although this browser rounds as our code does. This should not happen. ${took} ${ends}`
  }
}

/** @param {string} digest */
function code(digest) {
  return Object.assign(document.createElement('code'), {textContent: digest.slice(0, SHOWN), title: digest})
}

for (const section of document.querySelectorAll('.browser-proof')) new Proof(section)
