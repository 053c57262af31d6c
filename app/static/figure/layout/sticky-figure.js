// While a number in the text changes a figure that is out of sight, its main picture floats at the edge of the window.
const LINGER = 6_000

/** @param {import('../simulation.js').Simulation} simulation */
export function floatFigure(simulation) {
  const {figure, stage} = simulation
  const box = stage.getBoundingClientRect()
  clearTimeout(simulation.floating)
  if (!figure.classList.contains('afloat')) {
    const visible = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0)
    if (visible > 0.5 * Math.min(box.height, innerHeight)) return
    figure.classList.add('afloat')
    const close = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'land',
      textContent: '×',
      ariaLabel: 'Put the figure back',
    })
    close.addEventListener('click', () => putBack(simulation))
    stage.append(close)
    const hold = document.createElement('div')
    hold.className = 'hold'
    hold.style.height = `${box.height}px`
    stage.after(hold)
    new IntersectionObserver(([entry], observer) => {
      if (!entry.isIntersecting) return
      observer.disconnect()
      putBack(simulation)
    }).observe(hold)
  }
  simulation.floating = setTimeout(() => putBack(simulation), LINGER)
}

/** @param {import('../simulation.js').Simulation} simulation */
function putBack({figure, stage}) {
  if (!figure.classList.contains('afloat')) return
  figure.classList.remove('afloat')
  stage.querySelector('.land')?.remove()
  figure.querySelector('.hold')?.remove()
}
