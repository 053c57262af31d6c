// → resolves when the first words are visible: as the browser reports, or a frame after the page has loaded. In a
// hidden tab it resolves at once.
export const painted = new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
  const hidden = () => {
    if (document.hidden) resolve()
  }
  hidden()
  document.addEventListener('visibilitychange', hidden)
  if (globalThis.PerformanceObserver?.supportedEntryTypes?.includes('paint'))
    new PerformanceObserver((_entries, observer) => {
      observer.disconnect()
      resolve()
    }).observe({type: 'paint', buffered: true})
  const frame = () => requestAnimationFrame(() => setTimeout(resolve))
  if (document.readyState === 'complete') frame()
  else addEventListener('load', frame)
})
