// The drawing code of Bokeh and Panel is fetched after the words of a page. It runs when a picture is seen, or at the
// first sign of a reader: any earlier it would only keep a phone from responding.
import {patchBokeh} from './bokeh-patches.js'
import {countEveryPress, letFingersPassSliders, letFingersScroll} from './presses.js'

const SCRIPT = new URL('../vendor/bokeh.min.js', import.meta.url).href
const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown']
let running = null

export function bundles() {
  return (running ??= run().catch(error => {
    running = null
    throw error
  }))
}

// Calls `somebody` at the first sign that a reader is there.
/** @param {() => void} somebody */
export function ahead(somebody) {
  document.head.append(Object.assign(document.createElement('link'), {rel: 'prefetch', href: SCRIPT}))
  const begun = new AbortController()
  const begin = () => {
    begun.abort()
    bundles().catch(() => {})
    somebody()
  }
  for (const sign of SIGNS) addEventListener(sign, begin, {capture: true, passive: true, signal: begun.signal})
}

// The text can be read before this runs, and presses meanwhile are handled before it draws.
async function run() {
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
  await new Promise((resolve, reject) => {
    const failed = () => reject(new Error('its scripts did not load'))
    document.head.append(
      Object.assign(document.createElement('script'), {
        src: SCRIPT,
        onload: () => setTimeout(resolve),
        onerror: failed,
      }),
    )
  })
  countEveryPress()
  letFingersScroll()
  letFingersPassSliders()
  if (!Bokeh.plain) patchBokeh() // SKIP_PLAIN_BOKEH: as Bokeh was published
}
