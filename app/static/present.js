// The projector's view: one figure fills the window.
function present(id) {
  const figure = document.getElementById(id)
  const off = figure.classList.contains('presented')
  document.querySelector('.presented')?.classList.remove('presented')
  document.documentElement.toggleAttribute('data-present', !off)
  figure.classList.toggle('presented', !off)
  const address = new URL(location)
  if (off) address.searchParams.delete('present')
  else address.searchParams.set('present', id)
  history.replaceState(null, '', address)
  figure.scrollIntoView()
  dispatchEvent(new Event('resize'))
}

const figures = [...document.querySelectorAll('figure.simulation')]

document.addEventListener('present', ({detail}) => present(detail))
document.addEventListener('keydown', event => {
  const presented = document.querySelector('.presented')
  if (event.key === 'Escape' && presented) present(presented.id)
})
const asked = new URLSearchParams(location.search).get('present')
const shown = figures.find(each => each.id === asked) ?? (asked && figures[0])
if (shown) present(shown.id)
