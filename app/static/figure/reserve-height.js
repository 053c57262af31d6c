// What is said never takes less room than what was said before, so that nothing below it moves up and down in a run. The
// browser tells how much that is once it has laid the page out: to ask it for that would have it lay out the page at once.
/** @param {HTMLElement} element */
export function reserveHeight(element) {
  // In letters, for those of a page that is presented are larger.
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
