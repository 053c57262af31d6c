// A link with settings: taken over on the spot, and the run begins; opened in a new tab it is an ordinary address.
for (const link of document.querySelectorAll('a.preset'))
  link.addEventListener('click', event => {
    const simulation = window.simulations?.get(link.dataset.for)
    if (!simulation || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    for (let fold = simulation.figure.closest('.fold'); fold; fold = fold.parentElement.closest('.fold')) fold.open = true
    simulation.figure.scrollIntoView({block: 'start'})
    const start = () => {
      simulation.ask('reset', {initial: {...simulation.initial, ...JSON.parse(link.dataset.preset)}})
      simulation.ask('play')
    }
    if (simulation.alive) start()
    else simulation.figure.addEventListener('mounted', start, {once: true})
  })
