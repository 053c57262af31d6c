// A page without simulations is complete without this file, which adds memory and explanations.
import './storage/settings.js'
import '../search/search-button.js'
import './text/cards.js'
import '../exercises/reveal.js'
import '../exercises/predictions.js'
import '../exercises/covered.js'
import '../exercises/quizzes.js'
import '../exercises/examples/examples.js'
import '../exercises/missions.js'
import './text/listings.js'
import './storage/reading.js'
import './storage/keeping.js'
import './paper.js'
import './feedback.js'
import {makeScrollable} from '../shared/reachable.js'
import {copyText} from '../shared/copy-and-save.js'
import {inRoom} from '../shared/room-member.js'

for (const menu of document.querySelectorAll('details.menu')) {
  document.addEventListener('click', event => {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false
  })
  menu.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !menu.open) return
    menu.open = false
    menu.querySelector('summary').focus()
  })
}

const wide = matchMedia('(min-width: 66em)')
function unfold() {
  for (const contents of document.querySelectorAll('nav.contents details')) contents.open = wide.matches
}
wide.addEventListener('change', unfold)
if (wide.matches) unfold()

addEventListener('resize', () => makeScrollable())
document.addEventListener('toggle', () => makeScrollable(), {capture: true})
document.fonts.ready.then(() => makeScrollable())

for (const button of document.querySelectorAll('button.copy'))
  button.addEventListener('click', async () => {
    const copied = await copyText(button.closest('figure').querySelector('code').textContent)
    button.textContent = copied ? 'Copied' : 'Press again'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })

for (const button of document.querySelectorAll('button.print')) button.addEventListener('click', () => print())

// Print one half of a worksheet, or both.
for (const button of document.querySelectorAll('[data-print]'))
  button.addEventListener('click', () => {
    document.documentElement.dataset.sheet = button.dataset.print
    print()
  })

addEventListener('afterprint', () => {
  delete document.documentElement.dataset.sheet
})

// Mark the page as alive only when a room could withhold its results.
if (inRoom() || document.querySelector('[data-desk]')) await import('../classroom/index.js')
