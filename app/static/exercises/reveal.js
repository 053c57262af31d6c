// Shows the answers of all predictions to readers who would rather not predict. Every cover has a button for it, and the
// foot of a page with predictions one that also takes it back. In a room the teacher decides what is shown.
import * as store from '../shared/store.js'
import {inRoom} from '../shared/room-member.js'

const SWITCH = '[data-set=reveal]'
const atFoot = document.querySelector(`footer ${SWITCH}`)

function show() {
  if (!atFoot) return
  atFoot.textContent = store.showsAll() ? 'Hide answers again' : 'Show all answers'
  atFoot.hidden = inRoom() || !document.querySelector('.predict')
}

document.addEventListener('click', event => {
  const pressed = /** @type {HTMLElement} */ (event.target).closest?.(SWITCH)
  if (!pressed) return
  const shown = pressed !== atFoot || !store.showsAll()
  store.showAll(shown)
  show()
  if (shown) document.dispatchEvent(new Event('reveal'))
  else location.reload()
})
show()
