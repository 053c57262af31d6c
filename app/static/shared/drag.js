// Drags with a mouse, a finger or a pen.

/**
 * Follow the pointer that went down on an element until it is released. A second finger neither moves nor ends the drag.
 * @param {HTMLElement | SVGElement} element
 * @param {PointerEvent} down
 * @param {(event: PointerEvent) => void} move
 * @param {(event: PointerEvent) => void} drop called with `pointerup`, or `pointercancel` where the browser took over
 */
export function drag(element, down, move, drop) {
  const end = new AbortController()
  /** @param {string} name @param {(event: PointerEvent) => void} react */
  const on = (name, react) =>
    element.addEventListener(
      name,
      event => {
        if (/** @type {PointerEvent} */ (event).pointerId === down.pointerId) react(/** @type {PointerEvent} */ (event))
      },
      {signal: end.signal},
    )
  const finish = (/** @type {PointerEvent} */ event) => {
    end.abort()
    drop(event)
  }
  element.setPointerCapture(down.pointerId)
  on('pointermove', move)
  on('pointerup', finish)
  on('pointercancel', finish)
}
