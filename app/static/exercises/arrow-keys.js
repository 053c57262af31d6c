// Where the first choice is the answer, arrow keys go from option to option without choosing: by itself, a browser chooses
// every option that they pass. The space bar chooses.
const STEPS = {ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1}

document.addEventListener('keydown', event => {
  const {key, altKey, ctrlKey, metaKey, target} = event
  const step = STEPS[/** @type {keyof typeof STEPS} */ (key)]
  const input = /** @type {HTMLInputElement} */ (target)
  const group =
    step && !altKey && !ctrlKey && !metaKey && input.matches('[type=radio]') && input.closest('.quiz, .claim')
  if (!group) return
  event.preventDefault()
  const options = /** @type {HTMLInputElement[]} */ ([...group.querySelectorAll('input[type=radio]:enabled')])
  options.at((options.indexOf(input) + step) % options.length)?.focus()
})
