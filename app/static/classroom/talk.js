// Sends requests to a room and receives its news by long polling: the server holds each request until there is some.
const LONGEST = 15 // seconds between two attempts while no server answers
export const root = new URL('../../../', import.meta.url) // of the site: this file is in assets/VERSION/classroom/

export const UNREACHED = 502

export class Refused extends Error {
  /** @param {number} status @param {string} word */
  constructor(status, word) {
    super(word)
    this.status = status
  }
}

/** @param {Response} response @returns {Promise<any>} */
async function answer(response) {
  const reply = await response.json().catch(() => /** @type {null} */ (null))
  if (!response.ok || !reply)
    throw new Refused(reply ? response.status : UNREACHED, reply?.refused ?? 'The server is not answering right now.')
  return reply
}

/** @param {string} path @param {RequestInit} request */
const reach = (path, request) =>
  fetch(new URL(path, root), request).catch(() => {
    throw new Refused(UNREACHED, 'The server cannot be reached.')
  })

/** @param {string} path @param {string} token @param {RoomRequest} [request] */
export async function say(path, token, request = {}) {
  return answer(await reach(path, {method: 'POST', headers: {'X-Room': token}, body: JSON.stringify(request)}))
}

/** @typedef {{news: (news: RoomNews) => void, lost: (whether: boolean) => void, ended: (why: string) => void}} Hears */
export class Line {
  // `news(news)` gets every update, `lost(whether)` is called when the connection is lost or back, `ended(why)` at the
  // end.
  /** @param {import('../shared/room-member.js').RoomMember} me @param {string} page @param {Hears} hears */
  constructor({code, token}, page, hears) {
    this.code = code
    this.token = token
    this.page = page
    this.hears = hears
    this.over = false
    addEventListener('pagehide', () => this.hang())
    addEventListener('pageshow', ({persisted}) => {
      if (persisted && !this.over) this.listen()
    })
    addEventListener('online', () => {
      if (!this.over) this.listen()
    })
  }

  /** @param {RoomRequest} request */
  say(request) {
    return say(`room/${this.code}`, this.token, request)
  }

  // The answers of the room as CSV, for its teacher.
  async table() {
    const path = `room/${this.code}/answers.csv`
    const response = await reach(path, {headers: {'X-Room': this.token}, cache: 'no-store'})
    if (!response.ok) throw new Refused(response.status, 'The answers could not be fetched.')
    return response.blob()
  }

  hang() {
    this.call?.abort()
  }

  // Hangs up for good.
  end() {
    this.over = true
    this.hang()
  }

  async listen() {
    this.hang()
    const call = (this.call = new AbortController())
    let since = 0,
      pause = 1
    while (!call.signal.aborted) {
      try {
        const query = new URLSearchParams({since: String(since), page: this.page})
        const news = await answer(
          await fetch(new URL(`room/${this.code}/news?${query}`, root), {
            headers: {'X-Room': this.token},
            signal: call.signal,
            cache: 'no-store',
          }),
        )
        if (news.ended) return this.hears.ended(news.ended)
        since = news.version
        pause = 1
        this.hears.lost(false)
        this.hears.news(news)
      } catch {
        if (call.signal.aborted) return
        this.hears.lost(true)
        since = 0 // the first answer then comes at once
        await new Promise(resolve => setTimeout(resolve, 1000 * pause))
        pause = Math.min(2 * pause, LONGEST)
      }
    }
  }
}
