// → when the reader has first words before them: as browsers tell, or a frame after all of the page is there. Nobody waits
// for words in a tab that is not shown.
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
