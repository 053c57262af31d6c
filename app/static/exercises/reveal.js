// Shows the answers of all predictions to readers who would rather not predict. Beside the list of sections and at the
// foot of a page with predictions are switches for it, which also take it back. In a room the teacher decides what is
// shown.
import * as store from '../shared/store.js'
import {inRoom} from '../shared/room-member.js'

const SWITCH = '[data-set=reveal]'
const switches = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(SWITCH))

function show() {
  for (const button of switches) {
    button.textContent = store.showsAll() ? 'Hide answers again' : 'Show all answers'
    button.hidden = inRoom() || !document.querySelector('.predict')
  }
}

document.addEventListener('click', event => {
  if (!(/** @type {HTMLElement} */ (event.target).closest?.(SWITCH))) return
  const shown = !store.showsAll()
  store.showAll(shown)
  show()
  if (shown) document.dispatchEvent(new Event('reveal'))
  else location.reload()
})
show()
