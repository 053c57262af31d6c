// Who this tab is in a room, for as long as the tab lives: {code, token, teacher, calls, alone}. `calls` are the
// invitations that it has seen, and `alone` the predictions that it has gone on with by itself.
const NAME = 'room'

// The code with which a link has opened this page.
export const invited = new URLSearchParams(location.search).get('room')?.toUpperCase()

export function member() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME))
  } catch {
    return null
  }
}

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
