// The JSON that travels between a page and its server. Python writes or reads the other side; each comment says where.

/** A number, or its name ("nan", "inf", "-inf") where JSON has none for it, or a text (`finite` in sims/contract/frame.py). */
type Wired = number | string

/** Parameters of a simulation by name, each as the text that an address holds. */
type Values = Record<string, string>

/** How a run stands (`Status.state` in app/runs/run.py). */
type RunStatus = 'ready' | 'waiting' | 'running' | 'paused' | 'finished' | 'diverged' | 'failed'

/**
 * The message `live`: everything that a picture tells the page around it (app/live/page_state.py). From `description` on,
 * all are absent before it has a frame.
 */
interface Live {
  /** The last request that is answered herewith. */
  asked: number
  values: Values
  defaults: Values
  notes: string[]
  disclosure: Record<string, string>
  status: RunStatus
  /** In the queue for a worker. */
  place?: number | null
  message?: string | null
  /** Whether the simulation trains, or computes at once. */
  training: boolean
  /** Whether the frame is the end of a run that was computed before. */
  kept: boolean
  playing: boolean
  /** How long the whole run takes, about; none where that is not known, or the run has begun. */
  seconds?: number | null
  /** Whether there is a kept end that one can skip to. */
  end: boolean
  nextLink: {words: string; address: string} | null
  /** A configuration file for nanoGPT; empty if there is none. */
  configuration?: string
  description?: string
  /** Of a figure that plays: the parameter of its moments, and the sentence of each. */
  film?: {of: string; sentences: Record<string, string>}
  results?: Record<string, Wired>
  diverged?: Divergence[]
  step?: number
  steps?: number
  /** The step up to which this browser repeats a run; 0 if it does not. */
  until?: number
}

/** A quantity that left the finite numbers (`Diverged` in sims/contract/frame.py). */
interface Divergence {
  step: number
  quantity: string
  cause: string
  what_to_try: string
}

/** What a page asks of its session, as the JSON in a message `request` (`Session._on_request` in app/live/session.py). */
interface SessionRequest {
  /** The number of the request: they are counted up for as long as the session lasts. */
  n: number
  do: string
  values?: Values
  initial?: Values
  begun?: boolean
  play?: boolean
  share?: number
  step?: number
}

/**
 * The answer of `open` (app/server/sessions/session_endpoint.py): a token for the websocket, why there is no session, or that
 * the page shall train by itself.
 */
interface SessionManifest {
  token: string
  refused?: string
  here?: boolean
}

/** A table as the page shows it, the first rows of what the download has (app/live/downloads.py). */
interface Table {
  header: string[]
  rows: Wired[][]
  left_out: number
}

/** The message `reply`, to a request for a table or a file (app/live/downloads.py). */
type Reply = {tables: Table[]} | {file: string; type: string; content: string | ArrayBuffer | Uint8Array<ArrayBuffer>}

/**
 * `numbers-<state>.json` of the shelf: the messages `reply` of one prepared state, by what a page asks for ("table", or a
 * format of app/live/downloads.py; app/prerender/picture.py).
 */
type PreparedNumbers = Record<string, PatchEvent>

/** A parameter that can be scrubbed, with the texts of the values that were prepared (app/prerender/picture.py). */
type ScrubbedParameter = [name: string, texts: string[]]

/** `picture.json` of the shelf: a figure made ahead, and the changes that its first state makes to it (app/prerender/picture.py). */
interface PreparedPicture {
  document: BokehDocumentJson
  /** What is said of it before it has a state. */
  messages: PatchEvent[]
  atlas: ScrubbedParameter[]
  first?: PatchEvent[] | null
  trains?: BrowserTraining
}

/** What a page needs to train or calculate a figure by itself (app/prerender/browser_training.py). */
interface BrowserTraining {
  /** The id of each model of the picture, by its path in the view. */
  names: Record<string, string>
  /** Options as texts, or a range of whole numbers. */
  parameters: Record<
    string,
    {label: string; default: string; options?: string[]; stops?: boolean; low?: number; high?: number; step?: number}
  >
  /** The parameters whose change begins a new run. */
  restarts: string[]
  /** The other runs that are drawn beside the present one: by name, the settings in which they differ. */
  beside: Record<string, Values>
  /** The ends of the runs that came with the page, and in what their settings differ from the page's own. */
  ends: {values: Values; results: Record<string, Wired>; quantities: Record<string, Wired[]>}[]
}

/** `atlas.json` of the shelf: the changes that each prepared state makes, by the positions of its values ("0-2"). */
interface Atlas {
  states: Record<string, PatchEvent[]>
}

/** A change of one model, or a message without one, as Bokeh's protocol writes it. */
interface PatchEvent {
  kind: string
  model?: {id: string}
  attr?: string
  new?: unknown
  msg_type?: string
  msg_data?: unknown
}

/** What a link of another version means for a figure (`data-former`; app/pages/data/renames.py). */
interface FormerNames {
  renamed?: Record<string, string>
  /** What links of each version left unsaid: a default that has changed since. */
  unsaid?: Record<string, Values>
}

/** Numbers of a worked example at all steps of its inputs (app/pages/blocks/number_tables.py). */
interface ExampleTables {
  /** The texts of every input's steps. */
  steps: Record<string, string[]>
  /** For each number: the inputs that it depends on, its texts as HTML, and which of them belongs to each combination. */
  numbers: {of: string[]; texts: string[]; at: number[]}[]
}

/** The answer of `calculate`: the inputs as the server has read them, notes on them, and the numbers as HTML. */
interface ExampleAnswer {
  values: Values
  notes: string[]
  numbers: string[]
}

/** The answer of `writing` to an author's page (app/server/writing.py). */
interface WritingProgress {
  mark: string
  missing: number
  numbers: number
}

/** An entry of the search index (app/pages/output/search_entries.py). */
interface SearchEntry {
  page: string
  anchor?: string
  kind: 'page' | 'section' | 'figure' | 'example' | 'claim' | 'term' | 'paper'
  title: string
  text?: string
  more?: string
  within?: string[]
}

/** What a reader says to a prediction: an option, an order, a number, a curve, or yes or no and how sure. */
type Answer = number | number[] | {said: string; sure: number}

/** News of a room for one page (`Room.told` in app/server/classroom/rooms.py). */
interface RoomNews {
  version: number
  people: number
  /** Where the teacher has called the class to, and how often there was a call. */
  place: string
  calls: number
  questions: Record<string, RoomQuestion>
  /** On the page of the concept inventory. */
  inventory?: RoomInventory
  ended?: string
}

/** How many members have sent both rounds of the inventory, whether this one has, and what the teacher may see. */
interface RoomInventory {
  sent: number
  mine: boolean
  table: RoomInventoryTable | null
}

/** Concept → members by right or not before (rows) and after (columns); misconception → members before and after. */
interface RoomInventoryTable {
  people: number
  concepts: Record<string, [[number, number], [number, number]]>
  misconceptions: Record<string, [number, number]>
}

/** One prediction in a room: how many have answered, and what this member may know of it. */
interface RoomQuestion {
  count: number
  /** 0 asked, 1 answers shown, 2 result shown. */
  stage: number
  answers?: Answer[] | null
  mine?: Answer | null
}

/** What a tab asks of its room (app/server/classroom/room_routes.py). */
interface RoomRequest {
  do?: string
  page?: string
  exercise?: string
  answer?: Answer
  stage?: string
  place?: string
  first?: string
  answers?: Record<string, number>
}
