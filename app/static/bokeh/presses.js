// How presses and drags in pictures and on sliders are told apart from each other, and from scrolling.
const FOREVER = 2 ** 31 - 1 // milliseconds, the longest time that a browser can wait
const HELD = 300 // milliseconds after which a finger no longer scrolls

// To Bokeh, two presses within 0.3 seconds are one press and one double press, and after 0.3 seconds without a move a press
// is something else again, with which nothing can be dragged. A reader who presses one arc and soon the next would lose
// the second, and one who thinks before dragging would drag nothing.
export function countEveryPress() {
  const {UIEventBus} = Bokeh.require('core/ui_events')
  const {UIGestures} = Bokeh.require('core/ui_gestures')
  /** @this {any} @param {any} event */
  UIEventBus.prototype.on_doubletap = function (event) {
    this.on_tap({...event, type: 'tap'})
  }
  UIGestures.press_threshold = FOREVER
}

// To Bokeh, every finger that moves drags, before the browser knows that it scrolls: a reader who only went on reading would
// change the figure. Here a finger drags that goes sideways, or that has rested before it moves.
export function letFingersScroll() {
  const {UIGestures} = Bokeh.require('core/ui_gestures')
  const {PlotView} = Bokeh.require('models/plots/plot_canvas')
  const {connect_signals: connect, _pointer_move: move} = UIGestures.prototype
  /** @this {any} */
  UIGestures.prototype.connect_signals = function () {
    connect.call(this)
    const stays = (/** @type {TouchEvent} */ event) => {
      if (this.phase === 'panning' && event.cancelable) event.preventDefault()
    }
    this.hit_area.addEventListener('touchmove', stays, {passive: false})
  }
  /** @this {any} @param {PointerEvent} event */
  UIGestures.prototype._pointer_move = function (event) {
    const first = this.phase === 'started' && event.pointerType === 'touch' && this.pointers.get(event.pointerId)?.init
    const [x, y] = first ? [event.clientX - first.clientX, event.clientY - first.clientY] : [1, 0]
    if (Math.abs(x) > Math.abs(y) || event.timeStamp - first.timeStamp > HELD) move.call(this, event)
  }
  const update = PlotView.prototype._update_touch_action
  /** @this {any} */
  PlotView.prototype._update_touch_action = function () {
    update.call(this)
    if (![...this.model.subscribed_events].some(name => name.startsWith('pan'))) return
    this.canvas.touch_action.replace('.bk-events { touch-action: pan-y pinch-zoom; }')
  }
}

// To noUiSlider, a finger that touches a slider sets it, and can no longer scroll the page. Here a finger sets it that goes
// sideways; a tap sets it through the mouse events that a browser sends after one.
export function letFingersPassSliders() {
  /** @type {{event: TouchEvent, target: EventTarget} | null} */
  let held = null
  /** @param {'touchstart' | 'touchmove' | 'touchend' | 'touchcancel'} name @param {(event: TouchEvent) => void} react */
  const on = (name, react) => document.addEventListener(name, react, {capture: true, passive: true})
  on('touchstart', event => {
    held = null
    const path = event.composedPath()
    const onSlider = path.some(element => element instanceof Element && element.matches('.noUi-target'))
    if (!event.isTrusted || event.touches.length > 1 || !onSlider) return
    event.stopImmediatePropagation()
    held = {event, target: path[0]}
  })
  on('touchmove', event => {
    if (!held) return
    const {event: start, target} = held
    const [from, to] = [start.touches[0], event.touches[0]]
    if (Math.abs(to.clientX - from.clientX) <= Math.abs(to.clientY - from.clientY)) return
    held = null
    const {touches, targetTouches, changedTouches} = start
    const lists = {touches: [...touches], targetTouches: [...targetTouches], changedTouches: [...changedTouches]}
    target.dispatchEvent(new TouchEvent('touchstart', {...lists, bubbles: true, composed: true}))
  })
  const drop = () => {
    held = null
  }
  on('touchend', drop)
  on('touchcancel', drop)
}
