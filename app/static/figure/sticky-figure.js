// While a number in the text moves a figure that is out of sight, its stage floats at the edge of the window.
const LINGER = 6_000

/** @param {import('./simulation.js').Simulation} simulation */
export function afloat(simulation) {
  const {figure, stage} = simulation
  const box = stage.getBoundingClientRect()
  clearTimeout(simulation.landing)
  if (!figure.classList.contains('afloat')) {
    const seen = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0)
    if (seen > 0.5 * Math.min(box.height, innerHeight)) return
    figure.classList.add('afloat')
    const close = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'land',
      textContent: '×',
      ariaLabel: 'Put the figure back',
    })
    close.addEventListener('click', () => land(simulation))
    stage.append(close)
    const hold = document.createElement('div')
    hold.className = 'hold'
    hold.style.height = `${box.height}px`
    stage.after(hold)
    new IntersectionObserver(([entry], observer) => {
      if (!entry.isIntersecting) return
      observer.disconnect()
      land(simulation)
    }).observe(hold)
  }
  simulation.landing = setTimeout(() => land(simulation), LINGER)
}

/** @param {import('./simulation.js').Simulation} simulation */
function land({figure, stage}) {
  if (!figure.classList.contains('afloat')) return
  figure.classList.remove('afloat')
  stage.querySelector('.land')?.remove()
  figure.querySelector('.hold')?.remove()
}
