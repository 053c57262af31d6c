// Bokeh reports two presses within 0.3 seconds as one press and one double press, and a press that lasts longer as
// something else again. Our figures do the same for every press, and a reader who presses one arc and soon the next
// would lose the second.
export function countEveryPress() {
  const {UIEventBus} = Bokeh.require('core/ui_events')
  /** @this {any} @param {any} event */
  function press(event) {
    this.on_tap({...event, type: 'tap'})
  }
  UIEventBus.prototype.on_doubletap = press
  UIEventBus.prototype.on_pressup = press
}
