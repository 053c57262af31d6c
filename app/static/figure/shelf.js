// Files of the shelf: pictures that were made ahead, the states that can be scrubbed through, and their numbers.
import {preparedJson} from '../shared/shelf-file.js'
import {STATIC} from '../shared/static-copy.js'

/** @type {Promise<string> | null} */
let sheet = null

export class Shelf {
  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder
    /** @type {Promise<void> | null} */
    this.asked = null
    /** @type {Atlas['states'] | null} */
    this.states = null
  }

  // One that has not been made yet is answered as soon as it is.
  /** @returns {Promise<PreparedPicture>} */
  picture() {
    return preparedJson(`${this.folder}/picture.json`)
  }

  // All prerendered states; fetched once, when the reader approaches the figure.
  /** @returns {Promise<void>} */
  atlas() {
    return (this.asked ??= preparedJson(`${this.folder}/atlas.json`)
      .then((/** @type {Atlas} */ {states}) => {
        this.states = states
      })
      .catch(() => {
        this.states = {}
        this.asked = null // the next one asks again
      }))
  }

  /** @param {string} name @returns {Promise<PreparedNumbers>} */
  async numbers(name) {
    const replies = await preparedJson(`${this.folder}/numbers-${name}.json`)
    return STATIC ? (await import('../shared/files-of-json.js')).completed(replies) : replies
  }

  // The style sheet of the widgets, fetched once for all of them.
  static sheet() {
    return (sheet ??= fetchSheet().catch(error => {
      sheet = null // the next one asks again
      throw error
    }))
  }
}

async function fetchSheet() {
  const answer = await fetch(new URL('../bokeh/widgets.css', import.meta.url))
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`)
  return answer.text()
}
