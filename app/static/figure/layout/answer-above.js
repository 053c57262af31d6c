// Once the question of a figure is answered, the answer takes its place above the picture, which stays where it is. Of
// the explanation, as many lines are shown as fit there; a button shows the others.

const LINES = 2 // of an explanation, where the question was not measured

/** @param {HTMLElement} figure */
export function answerAbove(figure) {
  const section = figure.querySelector('.predict'),
    stage = figure.querySelector('.stage')
  if ('above' in section.dataset) return
  const [fieldset, yours, truth, because] = ['fieldset', '.yours', '.truth', '.because'].map(part =>
    section.querySelector(part),
  )
  const top = () => stage.getBoundingClientRect().top - figure.getBoundingClientRect().top
  const place = top()
  const focused = /** @type {HTMLElement} */ (document.activeElement)
  section.dataset.above = ''
  fieldset.append(yours, truth)
  if (fieldset.contains(focused)) focused.focus({preventScroll: true}) // moving takes it away
  const button = folding(because)
  truth.append(button)
  const line = parseFloat(getComputedStyle(because).lineHeight)
  because.style.setProperty('--lines', String(Math.max(1, LINES + Math.floor((place - top()) / line))))
  fieldset.style.minHeight = `${fieldset.offsetHeight + Math.max(0, place - top())}px`
}

// The button that shows all of an explanation: where lines are hidden, and where it has shown them.
/** @param {HTMLElement} because */
function folding(because) {
  const button = Object.assign(document.createElement('button'), {type: 'button', className: 'unfold', hidden: true})
  const show = (/** @type {boolean} */ all) => {
    because.toggleAttribute('data-all', all)
    button.ariaExpanded = String(all)
    button.textContent = all ? 'less' : 'more'
  }
  show(false)
  button.addEventListener('click', () => show(!because.hasAttribute('data-all')))
  because.addEventListener('focusin', () => show(true)) // a link in a hidden line
  new ResizeObserver(() => {
    const isWhole = because.scrollHeight <= because.clientHeight + 1 && !because.querySelector('.curves')
    if (!because.hasAttribute('data-all')) button.hidden = isWhole
  }).observe(because)
  return button
}
