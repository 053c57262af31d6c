// Prerendered files of a figure: its picture, the states for scrubbing, and their numbers.
const PATIENCE = 30_000
const WAIT = 500

/** @param {string} address @returns {Promise<any>} */
async function json(address) {
  const answer = await fetch(address)
  if (!answer.ok) throw Object.assign(new Error(`the server answered ${answer.status}`), {status: answer.status})
  return answer.json()
}

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

  // The picture; if it has not been built yet, wait until it is.
  /** @returns {Promise<PreparedPicture>} */
  async picture() {
    const late = performance.now() + PATIENCE
    for (;;)
      try {
        return await json(`${this.folder}/picture.json`)
      } catch (error) {
        if (/** @type {{status?: number}} */ (error).status !== 503 || performance.now() > late) throw error
        await new Promise(resolve => setTimeout(resolve, WAIT))
      }
  }

  // All prerendered states; fetched once, when the reader approaches the figure.
  /** @returns {Promise<void>} */
  atlas() {
    return (this.asked ??= json(`${this.folder}/atlas.json`)
      .then((/** @type {Atlas} */ {states}) => {
        this.states = states
      })
      .catch(() => {
        this.states = {}
      }))
  }

  /** @param {string} name @returns {Promise<PreparedNumbers>} */
  numbers(name) {
    return json(`${this.folder}/numbers-${name}.json`)
  }

  // The style sheet of the widgets, fetched once for all of them.
  static sheet() {
    return (sheet ??= fetch(new URL('../bokeh/widgets.css', import.meta.url)).then(answer =>
      answer.ok ? answer.text() : '',
    ))
  }
}
