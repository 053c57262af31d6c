// The HTML code with which another site embeds a figure, in its present state.
import * as address from '../shared/address.js'

const AROUND = 110 // pixels around the figure on a page that holds only it: margins, gaps, and the link below
const ELSEWHERE = '.quiet, .hidden, [hidden]'
const INSIDE = ':scope > :is(.stage, .progress, .live, .notes, .diverged)' // what is left where nothing is asked
const LISTENING = `<script>
addEventListener('message', ({data, source}) => {
  if (data?.type !== 'skip-connections:height') return
  for (const frame of document.querySelectorAll('iframe'))
    if (frame.contentWindow === source) frame.style.height = data.height + 'px'
})
</script>`

// Pixels that a part of a figure takes once its results are shown: the height that the page reserves for it.
const reserved = (/** @type {HTMLElement} */ part) => {
  const name = part.matches('.stage') ? '--stage' : part.matches('.live') ? '--said' : ''
  return parseFloat(getComputedStyle(part).getPropertyValue(name)) || 0
}

/** @typedef {(text: string, button: HTMLButtonElement) => void} Take */

const escaped = (/** @type {string} */ text) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

// → the code of the frame; `changed` are the parameters that differ from the figure's initial ones
/** @param {HTMLElement} figure @param {Values} changed */
function frame(figure, changed) {
  const published = document.querySelector('link[rel=canonical]')?.href
  const source = new URL(figure.dataset.embed, published ?? document.baseURI)
  source.search = String(address.query('', changed))
  const present = /** @type {HTMLElement[]} */ ([...figure.children])
    .flatMap(child => (child.matches('.predict') ? [...child.querySelectorAll(INSIDE)] : [child]))
    .filter(child => !child.matches(ELSEWHERE))
    .reduce((sum, child) => sum + Math.max(child.offsetHeight, reserved(child)), AROUND)
  // A frame is narrower than the page, and there lines and pictures may be higher.
  const height = Math.max(present, Number(figure.dataset.embedHeight))
  const title = escaped(figure.querySelector('.title').textContent)
  return `<iframe src="${escaped(source.href)}" title="${title}" width="100%" height="${Math.ceil(height / 10) * 10}" style="border: 0" loading="lazy" allow="clipboard-write"></iframe>`
}

/** @param {HTMLElement} place @param {string} words @param {Take} take */
function block(place, words, take) {
  const code = document.createElement('code'),
    line = document.createElement('p'),
    box = document.createElement('pre')
  const button = Object.assign(document.createElement('button'), {type: 'button', textContent: 'Copy'})
  button.addEventListener('click', () => take(code.textContent, button))
  line.append(words, ' ', button)
  box.append(code)
  box.tabIndex = 0
  place.append(line, box)
  return code
}

// Shows the code in a fold of the figure's menu; `take(text, button)` copies a text and confirms it on its button.
/** @param {HTMLElement} figure @param {Values} changed @param {Take} take */
export function show(figure, changed, take) {
  const place = figure.querySelector('.embedding div')
  if (!place.hasChildNodes()) {
    block(place, 'This figure, as it is now, in a page, slides or a course of yours:', take)
    block(place, 'With this beside it, the frame is always as high as the figure:', take).textContent = LISTENING
  }
  place.querySelector('code').textContent = frame(figure, changed)
}
