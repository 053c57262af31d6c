// Exports, imports and erases what is stored in this browser.
import * as store from '../../shared/store.js'
import {saveFile} from '../../shared/copy-and-save.js'
import {calibration} from '../../exercises/calibration.js'

const LARGEST = 1_000_000 // maximum size in bytes of a file to import
const button = (/** @type {string} */ name) => document.querySelector(`[data-keep=${name}]`)

/** @param {HTMLElement} element @param {string} text */
function say(element, text) {
  element.dataset.text ??= element.textContent
  element.textContent = text
  setTimeout(() => {
    element.textContent = element.dataset.text
  }, 2500)
}

button('export').addEventListener('click', () => {
  const blob = new Blob([JSON.stringify({answers: store.answers(), calibration: calibration()}, null, 2)], {
    type: 'application/json',
  })
  saveFile(blob, 'answers.json')
})

button('import').addEventListener('click', event => {
  const target = /** @type {HTMLElement} */ (event.target)
  const field = Object.assign(document.createElement('input'), {type: 'file', accept: '.json,application/json'})
  field.addEventListener('change', async () => {
    const file = field.files?.[0]
    try {
      const count = file && file.size <= LARGEST ? store.bring(await file.text()) : null
      if (count === null) return say(target, 'This is not an exported file')
      say(target, `${count} imported`)
      setTimeout(() => location.reload(), 600)
    } catch (error) {
      say(target, /** @type {Error} */ (error).message)
    }
  })
  field.click()
})

const eraser = button('erase')
if (store.erased()) eraser.textContent = 'Undo erasing'

eraser.addEventListener('click', () => {
  if (store.erased()) store.restore()
  else if (confirm('Erase all predictions, answers and judgments that this browser keeps?')) store.erase()
  else return
  location.reload()
})
