// A page without simulations is complete without this file; with it, the page remembers and explains.
import './settings.js'
import './search-button.js'
import './cards.js'
import './predictions.js'
import './quizzes.js'
import './examples.js'
import './missions.js'
import './listings.js'
import './reading.js'
import './keeping.js'
import {inRoom} from './room/member.js'

if (inRoom() || document.querySelector('[data-desk]')) import('./room/index.js')

for (const menu of document.querySelectorAll('details.menu')) {
  document.addEventListener('click', event => { if (!menu.contains(event.target)) menu.open = false })
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
unfold()

// What scrolls inside itself must be reachable by keyboard. What is folded away has no width to be measured without a
// layout of its own, and is looked at when it opens.
function reach() {
  const boxes = [...document.querySelectorAll('.table, .formula, pre')].filter(box => !box.closest('details:not([open])'))
  const wider = boxes.map(box => box.scrollWidth > box.clientWidth) // measured before any is changed: one layout for all
  for (const [place, box] of boxes.entries())
    if (wider[place]) box.tabIndex = 0
    else box.removeAttribute('tabindex')
}
addEventListener('resize', reach)
document.addEventListener('toggle', reach, {capture: true})
document.fonts.ready.then(reach)

for (const button of document.querySelectorAll('button.copy'))
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.closest('figure').querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 1500)
  })

for (const button of document.querySelectorAll('button.print')) button.addEventListener('click', () => print())

// Of a sheet for paper one half, or both.
for (const button of document.querySelectorAll('[data-print]'))
  button.addEventListener('click', () => {
    document.documentElement.dataset.sheet = button.dataset.print
    print()
  })

// On paper everything is open.
let closed = []
addEventListener('beforeprint', () => {
  closed = [...document.querySelectorAll('main details:not([open], .source, .table, .command)')]
  for (const each of closed) each.open = true
})
addEventListener('afterprint', () => {
  for (const each of closed) each.open = false
  delete document.documentElement.dataset.sheet
})
