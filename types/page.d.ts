// What the page itself has: its elements, its own events, and what its scripts hang on the window.

/**
 * The element that a selector ends in: `'.commit button'` is an HTMLButtonElement, `'.commit'` an HTMLElement.
 * Lists and whatever is not a plain name are HTMLElement.
 */
type Selected<S extends string> = S extends `${string},${string}`
  ? HTMLElement
  : S extends `${string} ${infer Rest}`
    ? Selected<Rest>
    : S extends `${infer Name}${'.' | '[' | ':' | '#'}${string}`
      ? Named<Selected<Name>, Name>
      : S extends keyof HTMLElementTagNameMap
        ? HTMLElementTagNameMap[S]
        : HTMLElement
type Named<Found, _Name> = Found

// The templates and the scripts are written together: what a script looks for is there. Where it may be absent, the script
// asks with `?.`, which the compiler allows of everything.
interface ParentNode {
  querySelector<S extends string>(selector: S): Selected<S>
  querySelectorAll<S extends string>(selector: S): NodeListOf<Selected<S>>
}
interface Element {
  closest<S extends string>(selector: S): Selected<S>
}
interface Document {
  getElementById(id: string): HTMLElement
}

/** What a figure says whenever its picture has changed. */
interface SimulationDetail {
  id: string
  live: Live
  simulation: import('../app/static/figure/simulation.js').Simulation
}

interface DocumentEventMap {
  /** An answer was kept (shared/store.js). */
  answered: Event
  /** The reader has other colors, or other words explained (page/storage/settings.js). */
  themechange: Event
  levelchange: Event
  /** A number in the text was moved (page/text/knobs.js). */
  knob: CustomEvent<{id: string; name: string; value: string}>
  /** The figure with this id is to fill the window, or does no more (figure/layout/present.js). */
  present: CustomEvent<string>
  simulation: CustomEvent<SimulationDetail>
  /** The reader is in no room any more; says why. */
  'room-ended': CustomEvent<string>
}

interface HTMLElementEventMap {
  /** The first picture is there. */
  mounted: Event
  /** What covered it until a prediction was made is gone. */
  uncovered: Event
}

interface Window {
  /** The figures of the page by their ids. */
  simulations?: Map<string, import('../app/static/figure/simulation.js').Simulation>
  /** Says that everything is there that hears the reader (head.js). */
  heard(): void
}
declare function heard(): void

interface HTMLElement {
  /** What a prediction is answered with, where that is an order, a curve or a place on an axis (exercises/predictions.js). */
  choice?: import('../app/static/exercises/options.js').Choice
  ranking?: import('../app/static/exercises/options.js').Ranking
  board?: import('../app/static/exercises/drawing.js').Board
  marker?: import('../app/static/exercises/marker.js').Marker
}

interface Storage {
  reader?: string
}

// -- what lib.dom.d.ts is more careful about than it helps us ---------------------------------------------------------

interface HTMLElement {
  /** The templates write the attributes that a script reads; one that may be absent is asked for with `??` or `in`. */
  readonly dataset: Record<string, string>
}
interface HTMLCanvasElement {
  getContext(contextId: '2d', options?: CanvasRenderingContext2DSettings): CanvasRenderingContext2D
}
interface OffscreenCanvas {
  getContext(contextId: '2d', options?: unknown): OffscreenCanvasRenderingContext2D
}
/** Both do nothing where nothing is planned. */
declare function clearTimeout(id: number | null | undefined): void
declare function cancelAnimationFrame(handle: number | null | undefined): void

/**
 * Set a while after construction, and null or undefined until then: what runs only afterwards need not ask, and what may
 * run before has to.
 */
type Late<Value> = Value
