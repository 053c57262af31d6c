/**
 * @typedef {object} RoomMember
 * @property {string} code
 * @property {string} token
 * @property {boolean} teacher
 * @property {number} calls invitations that it has seen
 * @property {boolean} [stays] does not follow its teacher from page to page
 * @property {string[]} alone predictions that it has gone on with by itself
 */

// This tab's membership of a room, for as long as the tab is open: {code, token, teacher, calls, stays, alone}. `calls`
// counts the invitations it has seen, and `alone` lists the predictions that it has continued on its own.
const NAME = 'room'

// The code in the link that opened this page.
export const invited = new URLSearchParams(location.search).get('room')?.toUpperCase()

/** @returns {RoomMember | null} */
export function member() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? 'null')
  } catch {
    return null
  }
}

// Whether this tab can be in a room: a browser may keep nothing for the site.
export function keepsMembership() {
  try {
    sessionStorage.setItem('keeps', 'yes')
    return true
  } catch {
    return false
  }
}

/** @param {Partial<RoomMember>} changed */
export function become(changed) {
  try {
    sessionStorage.setItem(NAME, JSON.stringify({calls: 0, alone: [], ...member(), ...changed}))
  } catch {
    return
  }
}

export function forget() {
  try {
    sessionStorage.removeItem(NAME)
  } catch {
    return
  }
}

export const inRoom = () => Boolean(invited || member())
