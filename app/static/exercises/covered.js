// Tables and text that tell the results of predictions wait until each of these was answered or skipped. What is shown in
// the meantime is in style/exercises/exercises.css.
for (const part of document.querySelectorAll('.covered')) {
  const truths = part.dataset.covered.split(' ').map(id => document.querySelector(`#${id} details.truth`))
  const show = () => {
    part.toggleAttribute('data-hidden', !truths.every(truth => truth.open))
  }
  for (const truth of truths) truth.addEventListener('toggle', show)
  show()
}
