// A page on paper. Everything is opened; answers that the reader has not seen go to the end, each under its question and
// with what the page tells about it, so that there is something to predict on paper as well. Afterwards all is as it was.

/** @type {HTMLDetailsElement[]} */
let closed = []
/** @type {(() => void)[]} */
let returns = []

const UNANSWERED =
  '.predict:has(details.truth:not([open])), .quiz:not(:has(:checked)), .claim:not([hidden], :has(:checked))'

// The answers at the end of the page; nothing if the reader has seen all of them.
function collected() {
  const waiting = document.querySelectorAll(`article :is(${UNANSWERED})`)
  if (!waiting.length) return
  const list = make('section', 'paper-answers')
  list.append(make('h2', '', 'The answers'))
  for (const section of waiting) {
    const note = make('p', 'at-the-end', 'The answer is at the end.')
    const question = make('p', 'asked')
    question.innerHTML = section.querySelector('legend:not(.hidden), blockquote').innerHTML
    const answers = [...section.querySelectorAll('.truth > .because, .answer > .because, .check')].map(told)
    const item = make('div', 'item')
    const picture = section.closest('figure[data-hidden]')?.querySelector('.still.answer.light')
    const parts = [picture, ...covered(section.id)].filter(Boolean).map(part => part.cloneNode(true))
    item.append(question, ...answers, ...parts)
    for (const part of item.querySelectorAll('.covered')) part.removeAttribute('data-hidden')
    list.append(item)
    section.append(note)
    section.dataset.later = ''
    returns.push(() => {
      delete section.dataset.later
      note.remove()
    })
  }
  document.querySelector('article').append(list)
  returns.push(() => list.remove())
}

// What a question tells about an answer; of a quiz together with the option that it is about.
/** @param {Element} answer */
function told(answer) {
  const copy = /** @type {Element} */ (answer.cloneNode(true))
  const option = answer.closest('.answer')?.querySelector('.words')
  if (option) copy.prepend(option.cloneNode(true), ' ')
  return copy
}

// The parts of the text that wait for this prediction, and for no later one.
/** @param {string} id @returns {Element[]} */
const covered = id =>
  [...document.querySelectorAll('article .covered[data-hidden]')].filter(part => {
    const waiting = part.dataset.covered
      .split(' ')
      .filter(name => !document.getElementById(name).matches(':has(details.truth[open])'))
    return waiting.at(-1) === id
  })

/** @param {string} tag @param {string} className @param {string} [textContent] */
const make = (tag, className, textContent = '') => Object.assign(document.createElement(tag), {className, textContent})

// An address on paper is typed, so it is whole: that of the published page, if it is known.
const here = document.querySelector('link[rel=canonical]')?.href ?? document.baseURI
for (const link of document.querySelectorAll('a.address'))
  link.textContent = new URL(/** @type {string} */ (link.getAttribute('href')), here).href

addEventListener('beforeprint', () => {
  for (const image of document.querySelectorAll('article img.light')) image.loading = 'eager'
  closed = /** @type {HTMLDetailsElement[]} */ ([
    ...document.querySelectorAll('main details:not([open], .source, .table, .command, .truth)'),
  ])
  for (const details of closed) details.open = true
  collected()
})
addEventListener('afterprint', () => {
  for (const details of closed) details.open = false
  for (const back of returns) back()
  returns = []
})
