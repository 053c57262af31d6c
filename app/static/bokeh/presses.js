// To Bokeh, two presses within 0.3 seconds are one press and one double press, and after 0.3 seconds without a move a press
// is something else again, with which nothing can be dragged. A reader who presses one arc and soon the next would lose
// the second, and one who thinks before dragging would drag nothing.
const FOREVER = 2 ** 31 - 1 // milliseconds, the longest time that a browser can wait

export function countEveryPress() {
  const {UIEventBus} = Bokeh.require('core/ui_events')
  const {UIGestures} = Bokeh.require('core/ui_gestures')
  /** @this {any} @param {any} event */
  UIEventBus.prototype.on_doubletap = function (event) {
    this.on_tap({...event, type: 'tap'})
  }
  UIGestures.press_threshold = FOREVER
}
