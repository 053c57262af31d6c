// A session that calculates in this browser: every change of a setting is computed at once, in the thread that trains
// elsewhere, so that the page stays alive.
import {STATIC} from '../../shared/static-copy.js'
import {FigureSession} from './figure-session.js'
import {failureOf, SILENT, thread, unlessSilent} from '../threads/threads.js'

/** @extends {FigureSession<CalculatedFigure>} */
export class LocalCalculation extends FigureSession {
  shown = this.settings // those of the picture
  drawn = false // whether this session has shown one
  /** @type {Worker | null} */
  worker = null

  close() {
    super.close()
    this.worker?.terminate()
    this.worker = null
  }

  // The picture that the page shows when the session opens is not replaced by the same with other last digits, but the
  // thread computes it, so that it is ready for the next one. That takes less time than fetching a picture.
  async showNow() {
    const {settings} = this
    if (!this.drawn && (await this.showPrepared())) {
      this.shown = settings
      this.drawn = true
      return void (await this.measured().catch(() => null))
    }
    try {
      this.frame = this.figure.frame(await this.measured(), settings)
    } catch (error) {
      const {message} = /** @type {Error} */ (error)
      if (!STATIC) return this.unable(message)
      this.settings = this.shown
      return this.fail(`This could not be calculated here. ${message}`)
    }
    this.shown = settings
    this.drawn = true
    this.kept = false
    this.failure = ''
    this.draw()
  }

  /** What the thread measures with these settings, if there is something. @returns {Promise<unknown>} */
  async measured() {
    const {folder, figure, settings} = this
    const calculation = figure.calculation(settings)
    if (!calculation) return null
    const worker = (this.worker ??= thread())
    /** @type {() => void} */
    let heard = () => {}
    return new Promise((resolve, reject) => {
      heard = unlessSilent(() => {
        this.close()
        reject(new Error(SILENT))
      })
      worker.onmessage = (/** @type {MessageEvent<import('../threads/worker.js').Measured>} */ {data}) =>
        data.kind === 'measured' ? resolve(data.values) : reject(new Error(data.message))
      worker.onerror = event => {
        event.preventDefault() // it is said here
        this.close()
        reject(new Error(failureOf(event)))
      }
      worker.postMessage({kind: 'measure', folder, calculation})
    }).finally(() => heard())
  }

  computed() {
    if (this.kept) return 'From the settings, by the server’s code; it came with this page.'
    return 'From the settings, at once, in your browser, as the server’s code computes it.'
  }
}
