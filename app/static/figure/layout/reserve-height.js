// Keeps a text's space from shrinking, so that nothing below it moves up and down during a run. The height comes from a
// ResizeObserver after layout: reading it directly would force a layout at once.
/** @param {HTMLElement} element */
export function reserveHeight(element) {
  // In font-relative units, since a presented page has larger letters.
  /** @param {number} height */
  const hold = height =>
    element.style.setProperty('--held', `${height / parseFloat(getComputedStyle(element).fontSize)}em`)
  const begin = () => {
    element.style.removeProperty('--held')
    hold(element.offsetHeight)
  }
  /** @type {number | null} */
  let width = null
  new ResizeObserver(
    ([
      {
        borderBoxSize: [{inlineSize, blockSize}],
      },
    ]) => {
      if (inlineSize === width) hold(blockSize)
      else requestAnimationFrame(begin)
      width = inlineSize
    },
  ).observe(element, {box: 'border-box'})
}
