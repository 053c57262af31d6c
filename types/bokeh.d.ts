// What we use of BokehJS 3.9: of its public interface, and of its private side (docs/bokeh-internals.md has the table).
// Everything else of a model is read by name, as Python has set it.

interface BokehSignal {
  connect(slot: (...all: any[]) => unknown): void
  disconnect(slot: (...all: any[]) => unknown): void
  emit(...all: any[]): void
}

interface BokehProperty {
  change: BokehSignal
  get_value(): any
}

interface BokehModel {
  id: string
  type: string
  name: string | null
  tags: any[]
  properties: Record<string, BokehProperty>
  change: BokehSignal
  setv(values: Record<string, unknown>, options?: {sync: boolean; check_eq?: boolean}): void
  on_event(name: string, callback: () => unknown): void
  [attribute: string]: any
}

/** A ColumnDataSource. */
interface BokehSource extends BokehModel {
  columns(): string[]
  get_column(name: string): any
  get_length(): number
}

/** A document as JSON; `roots` are models with their attributes. */
interface BokehDocumentJson {
  roots: unknown[]
  [member: string]: unknown
}

/** An event of a document on the page: a change of a property, something that happened in a plot, or a message. */
interface BokehEvent {
  model?: BokehModel
  attr?: string
  sync?: boolean
  events?: BokehEvent[]
  msg_data?: {event_name?: string; origin?: BokehModel}
}

interface BokehDocument {
  /** Private: every model by its id. */
  _all_models: Map<string, BokehModel>
  get_model_by_id(id: string): BokehModel | null
  on_change(listener: (event: BokehEvent) => void, batches?: boolean): void
  on_message(type: string, listener: (data: any) => void): void
  apply_json_patch(patch: {events: PatchEvent[]}, buffers?: Map<string, ArrayBuffer>): void
  create_json_patch(events: BokehEvent[]): object
  clear(): void
}

/** Views are private: of these members we read the elements, and the layout of a plot. */
interface BokehView {
  model: BokehModel
  el: HTMLElement
  shadow_el: ShadowRoot
  title_el?: HTMLElement
  button_el?: HTMLButtonElement
  [member: string]: any
}

interface BokehMessage {
  msgtype(): string
  content: {events: PatchEvent[]}
  buffers?: Map<string, ArrayBuffer>
}

/** Bokeh's client connection; the two methods with an underline are private, and replaced by ours. */
interface BokehConnection {
  socket?: WebSocket
  session: unknown
  _repull_session_doc(resolve: (session: unknown) => void): void
  _schedule_reconnect(): void
  connect(): Promise<unknown>
  send(message: unknown): void
  close(): void
}

declare const Bokeh: {
  /** Set by the server where the site runs with Bokeh as it was published. */
  plain?: boolean
  documents: BokehDocument[]
  embed: {add_document_standalone(document: BokehDocument, host: Element): Promise<unknown>}
  index: {
    find_one(model: BokehModel): BokehView | undefined
    find_one_by_id(id: string): BokehView | undefined
  }
  /** Private: the modules of the bundle. */
  require(module: string): any
}
