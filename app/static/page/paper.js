// A page on paper. Everything is opened; answers that the reader has not seen go to the end, each under its question and
// with what the page tells about it, so that there is something to predict on paper as well. Afterwards all is as it was.

/** @type {HTMLDetailsElement[]} */
let closed = []
/** @type {(() => void)[]} */
let returns = []

// The answers at the end of the page; nothing if the reader has seen all of them.
function collected() {
  const hidden = document.querySelectorAll('article .predict details.truth:not([open]) > .because')
  if (!hidden.length) return
  const list = make('section', 'paper-answers')
  list.append(make('h2', '', 'What became of the predictions'))
  for (const answer of hidden) {
    const details = /** @type {HTMLElement} */ (answer.parentElement)
    const note = make('p', 'at-the-end', 'The answer is at the end.')
    const question = make('p', 'asked')
    question.innerHTML = answer.closest('.predict').querySelector('legend').innerHTML
    const item = make('div', 'item')
    const picture = answer.closest('figure[data-hidden]')?.querySelector('.still.answer.light')
    const parts = covered(answer.closest('.predict').id)
    item.append(question, answer, ...[picture, ...parts].filter(Boolean).map(part => part.cloneNode(true)))
    for (const part of item.querySelectorAll('.covered')) part.removeAttribute('data-hidden')
    list.append(item)
    details.after(note)
    returns.push(() => {
      details.append(answer)
      note.remove()
    })
  }
  document.querySelector('article').append(list)
  returns.push(() => list.remove())
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
