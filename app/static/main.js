// A page is complete without scripts. The interactive parts are fetched after its words: on a slow line they would
// delay these.
import {painted} from './shared/painted.js'

/** @type {[selector: string, load: () => Promise<{begin?: () => void}>][]} */
const PARTS = [
  ['a[data-moved]', () => import('./page/moved.js')],
  ['body', () => import('./page/article.js')],
  ['body[data-page=predictions]', () => import('./exercises/predicted.js')],
  ['body[data-page=review]', () => import('./exercises/review/review.js')],
  ['body[data-page=inventory]', () => import('./exercises/inventory/inventory.js')],
  ['.due', () => import('./exercises/review/due.js')],
  ['body[data-page=claims]', () => import('./page/lists/claims.js')],
  ['.works', () => import('./page/lists/works.js')],
  ['.opening', () => import('./page/opening.js')],
  ['.browser-proof', () => import('./page/browser-proof.js')],
  ['.knob', () => import('./page/text/knobs.js')],
  ['figure.simulation', () => import('./figure/simulations.js')],
  ['.report', () => import('./page/xray/page.js')],
  ['a.preset', () => import('./page/text/presets.js')],
  ['[data-offline] footer .offline', () => import('./page/offline/offer.js')],
]

await painted
const needed = PARTS.filter(([selector]) => document.querySelector(selector))
const parts = await Promise.allSettled(needed.map(([, load]) => load()))
for (const part of parts)
  if (part.status === 'fulfilled') part.value.begin?.()
  else reportError(part.reason) // and the others do without it
document.documentElement.dataset.alive = ''
heard()
