// All figures of the page: mounts each when it is near the viewport, and tells it whether the reader sees it.
import {Simulation} from './simulation.js'
import {ahead} from '../bokeh/bundles.js'
import {fit} from './layout/present.js'

const NEAR = '500px'
const SEEN = 0.25 // visible share of a picture

const mounted = (window.simulations = new Map())
const still = new Set()

/** @param {IntersectionObserverEntry[]} entries */
function mount(entries) {
  for (const {target, isIntersecting} of entries) {
    const figure = target.closest('figure.simulation')
    if (isIntersecting && still.delete(figure)) mounted.get(figure.id).mount()
  }
}
// Visible figures are mounted at once, nearby ones when a reader is there.
const seen = new IntersectionObserver(mount, {threshold: SEEN})
const near = new IntersectionObserver(mount, {rootMargin: NEAR})

// A run that is out of view pauses; it continues by itself when its picture is back in view.
const inView = new IntersectionObserver(entries => {
  for (const entry of entries) mounted.get(entry.target.id).session.watch(entry.isIntersecting && !document.hidden)
})

document.addEventListener('visibilitychange', () => {
  for (const simulation of mounted.values()) {
    const box = simulation.figure.getBoundingClientRect()
    simulation.session.watch(!document.hidden && box.bottom > 0 && box.top < innerHeight)
  }
})
document.addEventListener('knob', ({detail: {id, name, value}}) => mounted.get(id)?.set(name, value))
document.addEventListener('themechange', () => {
  for (const simulation of mounted.values()) if (simulation.document) fit(simulation)
})

// Called when all listeners of figures are in place, before the first figure sends events.
export function begin() {
  for (const figure of document.querySelectorAll('figure.simulation')) {
    mounted.set(figure.id, new Simulation(figure))
    still.add(figure)
    seen.observe(figure.querySelector('.stage'))
    inView.observe(figure)
    for (const reach of ['pointerenter', 'focusin', 'touchstart'])
      figure.addEventListener(reach, () => mounted.get(figure.id).approached(), {passive: true})
  }
  ahead(() => {
    for (const figure of still) near.observe(figure)
  })
}
