// The forms to open a room and to enter a code.
import {become, keepsMembership, member} from '../shared/room-member.js'
import {root, say} from './talk.js'
import {STATIC} from '../shared/static-copy.js'

const SIGNS = /^[CDFGHJKMNPQRTWX34679]{6}$/
const NO_CODE = 'A code has six characters: consonants and digits, but never 0 or 1.'
const NOTHING_KEPT = 'This browser keeps nothing for this site, so it cannot be in a room.'
const ANYBODY = 'anybody' // token for requests of readers who have not joined a room yet

/** @param {string} code */
export async function join(code) {
  if (!SIGNS.test(code)) throw new Error(NO_CODE) // an address that was typed
  if (!keepsMembership()) throw new Error(NOTHING_KEPT)
  const {token} = await say(`room/${code}`, ANYBODY, {do: 'join'})
  become({code, token, teacher: false, calls: 0, alone: []})
}

async function open() {
  if (!keepsMembership()) throw new Error(NOTHING_KEPT)
  const {code} = await say('rooms', ANYBODY)
  const {token} = await say(`room/${code}`, ANYBODY, {do: 'open'})
  become({code, token, teacher: true, calls: 0, alone: []})
}

// `opened()` starts the room on this page.
/** @param {() => void} opened */
export function desks(opened) {
  const {live} = document.documentElement.dataset
  for (const desk of document.querySelectorAll('[data-desk]')) {
    const needs = desk.querySelector('.needs'),
      tried = desk.querySelector('.try'),
      notice = desk.querySelector('.said')
    if (STATIC) {
      needs.textContent = 'Rooms need the server of this site, and these pages run without one. '
      if (live)
        needs.append(
          Object.assign(document.createElement('a'), {href: new URL('teach', live), textContent: 'Where there is one'}),
        )
      continue
    }
    needs.hidden = true
    tried.hidden = false
    if (desk.dataset.desk === 'join') tried.addEventListener('submit', event => enter(event, notice))
    else
      tried.querySelector('button').addEventListener('click', async ({currentTarget}) => {
        const button = /** @type {HTMLButtonElement} */ (currentTarget)
        notice.textContent = ''
        button.disabled = true // two presses would open two rooms
        try {
          if (!member()?.teacher) await open()
        } catch (error) {
          notice.textContent = /** @type {Error} */ (error).message
        }
        button.disabled = false
        button.focus() // which it lost; the dialog gives it back
        if (member()?.teacher) opened()
      })
  }
}

// Shows on the desks that this tab is in a room, until the room ends.
/** @param {import('../shared/room-member.js').RoomMember} me */
export function seat({teacher, code}) {
  document.addEventListener('room-ended', ({detail}) => leave(detail), {once: true})
  for (const desk of document.querySelectorAll('[data-desk]')) {
    const open = desk.dataset.desk === 'open'
    if (teacher && open) desk.querySelector('button').textContent = 'Show the code of your room'
    if (teacher || open) continue
    desk.querySelector('.try').hidden = true
    desk.querySelector('.said').textContent =
      `You are in room ${code}. Your teacher brings the class to a page, and this tab follows; the bar at the top can stop that.`
  }
}

/** @param {string} why */
function leave(why) {
  for (const desk of document.querySelectorAll('[data-desk]')) {
    const said = desk.querySelector('.said')
    if (desk.dataset.desk === 'open') desk.querySelector('button').textContent = 'Open a room'
    else if (said.textContent) said.textContent = why
    desk.querySelector('.try').hidden = false
  }
}

/** @param {SubmitEvent} event @param {HTMLElement} notice */
function enter(event, notice) {
  event.preventDefault()
  const code = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('code'))
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
  if (!SIGNS.test(code)) {
    notice.textContent = NO_CODE
    return
  }
  const address = new URL('room', root)
  address.searchParams.set('room', code)
  location.assign(address)
}
