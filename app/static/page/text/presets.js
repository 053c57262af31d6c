// A link with settings: applied in place, and the run starts; opened in a new tab it is an ordinary address.
const awaited = new Map()

for (const link of document.querySelectorAll('a.preset'))
  link.addEventListener('click', event => {
    const simulation = window.simulations?.get(link.dataset.for)
    if (!simulation || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    for (
      let fold = simulation.figure.closest('.fold');
      fold;
      fold = /** @type {HTMLElement} */ (fold.parentElement).closest('.fold')
    )
      /** @type {HTMLDetailsElement} */ (fold).open = true
    simulation.figure.scrollIntoView({block: 'start'})
    awaited.set(link.dataset.for, link)
    simulation.start(JSON.parse(link.dataset.preset))
  })

// Reveals the hidden cell of a table row when the run that its link started has ended with these settings.
document.addEventListener('simulation', ({detail: {id, live}}) => {
  const link = awaited.get(id)
  if (!link || !live.steps || Number(live.step) < live.steps) return
  const settings = Object.entries(JSON.parse(link.dataset.preset))
  if (settings.some(([name, value]) => String(live.values?.[name]) !== String(value))) return
  awaited.delete(id)
  for (const details of link.closest('tr')?.querySelectorAll('.held') ?? []) details.open = true
})
