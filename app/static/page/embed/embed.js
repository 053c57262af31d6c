// A figure alone, in a frame on another site: tells the embedding page its height, and keeps the link below it pointing
// to its page, in the state it shows.
import * as address from '../../shared/address.js'
import '../text/cards.js'
import '../text/knobs.js'
import '../text/presets.js'
import {begin} from '../../figure/simulations.js'

const figure = document.querySelector('figure.simulation')
const from = document.querySelector('a[data-home]')
const SETTLED = 400 // milliseconds that a lower height must last to be reported: a new picture is low briefly
let announced = 0,
  shrinking = /** @type {ReturnType<typeof setTimeout> | null} */ (null)

function announceHeight() {
  const height = Math.ceil(document.body.getBoundingClientRect().height)
  if (height === announced) return
  announced = height
  parent.postMessage({type: 'skip-connections:height', id: figure.id, height}, '*')
}

new ResizeObserver(() => {
  clearTimeout(shrinking)
  if (document.body.getBoundingClientRect().height > announced) announceHeight()
  else shrinking = setTimeout(announceHeight, SETTLED)
}).observe(document.body)
document.addEventListener(
  'simulation',
  ({
    detail: {
      simulation: {panel},
    },
  }) => {
    from.href = String(address.url(figure.id, panel.changed()))
  },
)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
  document.dispatchEvent(new Event('themechange')),
)
begin()
