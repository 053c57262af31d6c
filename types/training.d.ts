// What a browser that trains by itself passes around: what was measured, and what a figure makes of it. The names are those
// of the classes in Python.

/** What is measured at one step (`Record` in sims/engines/state.py); the first axis of every array is the seed. */
interface TrainingRecord {
  step: number
  train_loss: Float64Array
  train_error: Float64Array
  test_loss: Float64Array
  test_error: Float64Array
  /** seeds × layers, row by row */
  weight_gradients: Float64Array
  /** seeds × (blocks + 1), row by row, as are the activations */
  stream_gradients: Float64Array
  activations: Float64Array
}

/** `Architecture` in sims/engines/perceptrons/architecture.py; what is left out has its default there. */
interface NetworkArchitecture {
  depth: number
  width: number
  skip: string
  norm: string
  unit: string
  initialization: string
  final_norm: boolean
  branch_factor?: string
  activation?: string
  growth?: number
  gate_bias?: number
  scaled_skip?: number
  dropped?: number
  squashed?: boolean
}

/** `Transformer` in sims/engines/transformers/architecture.py; what is left out has its default there. */
interface TransformerArchitecture {
  depth: number
  tokens: number
  norm: string
  initialization: string
  width?: number
  heads?: number
  hidden?: number
  final_norm?: boolean
  causal?: boolean
}

/** `Recipe` in sims/engines/recipe.py; what is left out has its default there. */
interface TrainingRecipe {
  optimizer: string
  learning_rate: number
  /** null for all points */
  batch: number | null
  record_every: number
  clip: number | null
  warmup?: number
  loss?: string
}

/** A data set of the plane (sims/data/datasets.py), and the functions of the coordinates that are a network's inputs. */
interface DataSource {
  name: string
  arguments?: Record<string, number | string>
  /** The coordinates if they are left out. */
  features?: string[]
}

/** `LanguageModel` in sims/engines/language/architecture.py. */
interface LanguageArchitecture {
  blocks: number
  symbols: number
  width: number
  heads: number
  context: number
  skip: string
  attention: string
  norm: string
  initialization: string
  /** Branches without a plus sign, counted from 0 (`SwitchedModel`); none if they are left out. */
  cut?: number[]
}

/** `Lesson` in sims/engines/language/engine.py, and the number of steps from one look at the model to the next. */
interface Lesson {
  batch: number
  learning_rate: number
  warmup: number
  decay: number
  clip: number
  record_every: number
}

/** What is to be trained: one kind of network, once for every seed. */
interface TrainedNetwork {
  architecture: NetworkArchitecture | TransformerArchitecture
  recipe: TrainingRecipe
  /** The name of a file, or a source that the browser makes (app/static/training/datasets.js). */
  data: string | DataSource
  seeds: number[]
}

/** Perceptrons that are to be trained. */
type TrainedPerceptron = TrainedNetwork & {architecture: NetworkArchitecture}

/** A language model that is to be trained from one seed. */
interface TrainedLanguage {
  engine: 'language'
  architecture: LanguageArchitecture
  recipe: Lesson
  /** The name of a file with the text that it learns from. */
  data: string
  seeds: number[]
}

/** `WeightedStack` in sims/engines/perceptrons/weighted_stack.py, of the width that is the default there. */
interface WeightedStack {
  skips: number[]
  factor: number
  norm: boolean
  /** Whether training changes the skips; it does not if this is left out. */
  learned?: boolean
}

/** A recipe with Adam, and the number of steps from one look at the networks to the next. */
interface StackRecipe {
  learning_rate: number
  batch: number
  record_every: number
}

/** A stack with a weight on every skip that is to be trained, once for every seed. */
interface TrainedStack {
  engine: 'weighted_stack'
  stack: WeightedStack
  recipe: StackRecipe
  /** The name of a file. */
  data: string
  seeds: number[]
}

/** What is known of one network that trains (`TrainingState` in sims/engines/state.py). */
interface TrainingRun {
  /** How many there are. */
  seeds: number
  step: number
  records: TrainingRecord[]
  now: TrainingRecord
  /** For each seed, where it stopped being finite. */
  overflows: ({step: number; quantity: string} | null)[]
  architecture: NetworkArchitecture | TransformerArchitecture
  recipe: TrainingRecipe
  /** What the figure's observer has measured (app/static/training/observers). */
  observed?: unknown
  /** The time of a step of one seed, if it has been measured. */
  milliseconds?: number | null
}

/** What is known of one language model that trains. */
interface LanguageProgress {
  step: number
  /** The moments of a look at it. */
  records: {step: number}[]
  /** Where it stopped being finite, if it did. */
  overflows: ({step: number; quantity: string} | null)[]
  /** What the figure's observer has measured. */
  observed?: unknown
}

/** `Answers` in sims/engines/perceptrons/weighted_stack.py at one step, by seed. */
interface StackRecord {
  step: number
  train_loss: Float64Array
  train_error: Float64Array
  test_error: Float64Array
}

/** What is known of one stack that trains. */
interface StackProgress {
  step: number
  records: StackRecord[]
  /** For each seed, where it stopped being finite. */
  overflows: ({step: number; quantity: string} | null)[]
  /** What the figure's observer has measured. */
  observed?: unknown
}

/** `Quantity` in sims/contract/frame.py. */
interface Quantity {
  /** All numbers, row by row. */
  values: Float64Array | Float32Array | Int32Array | Uint8Array
  /** Whether numbers of double precision stand for whole ones. */
  whole?: boolean
  /** The words that the numbers stand for, by place. */
  texts?: string[]
  shape: number[]
  label: string
  unit: string
  /** The names of all dimensions, outermost first. */
  axes: string[]
}

/** `Frame` in sims/contract/frame.py. */
interface TrainingFrame {
  /** By name; tables have them in this order. */
  quantities: Record<string, Quantity>
  results: Record<string, number | string>
  /** The names of those results that are whole numbers in Python. */
  counts: string[]
  step: number
  steps: number
  diverged: Divergence[]
}

/** What kind of value a parameter has in Python. */
type ParameterKind = 'int' | 'float' | 'bool' | 'text'

/** `Disclosure` in sims/contract/simulation.py. */
interface Disclosure {
  network: string
  data: string
  seeds: string
  cannot_show: string
}

/** The end of a run: its results and quantities, of which a run that came with the page has some (app/prerender/browser_training.py). */
interface RunEnd {
  results: Record<string, number | string>
  quantities: Record<string, {values: number[] | Quantity['values']}>
}

/** The ends of runs that are drawn beside the present one, by the names of `drawn_beside` in Python. */
type KeptEnds = Record<string, RunEnd>

/** A change of a property of a model of the picture. */
interface ModelChange {
  kind: 'ModelChanged'
  model: {id: string}
  attr: string
  new: unknown
}

/** What is to be calculated without training; `data` is the name of a file (app/static/training/calculations). */
interface Calculation {
  name: string
  data: string
  /** The name of the compiled code that it calls, if it does. */
  engine?: string
}

/** `language_passes` in sims/instruments/stacks/language_passes.py. */
interface LanguagePassesCalculation extends Calculation {
  architecture: LanguageArchitecture
  seed: number
}

/** `weighted_passes` in sims/instruments/networks/weighted_passes.py, for the first `points` of those held out. */
interface WeightedPassesCalculation extends Calculation {
  stack: WeightedStack
  normed_sums: boolean
  points: number
  seeds: number[]
}

/** The streams of `Corrections` in sims/simulations/shortcuts/corrections.py: of a digit, and of two numbers. */
interface RandomStacksCalculation extends Calculation {
  digit: number
  point: number[]
  depth: number
  strength: number
  rectified: boolean
  seed: number
}

/** The simulation and the view of one figure: what all modules of app/static/training/figures export. */
interface LocalFigure {
  /** The name of the simulation's class, in small letters. */
  NAME: string
  TITLE: string
  /** The kinds of all parameters, in the order of their declaration. */
  PARAMETERS: Record<string, ParameterKind>
  /** By parameter, settings whose text has fewer digits than their value → the value. */
  EXACT?: Record<string, Record<string, string>>
  /** The names of results that are whole numbers in Python. */
  COUNTS: string[]
  /** Whether functions of a library, whose last digits differ from place to place, decide its curves. */
  ROUNDED?: boolean
  describe(frame: TrainingFrame, settings: Values): string
  disclosure(settings: Values): Disclosure
  /** A file that the figure takes before anything else. */
  READS?: {file: string; take(text: string): void}
  /** The values that a gesture in the picture sets. */
  pointed?(
    names: Record<string, string>,
    gesture: {event_name?: string; origin?: {id: string}; x?: number; y?: number},
    settings: Values,
    frame: TrainingFrame | null,
  ): Values | null
  /** `names`: the id of each model, by its path in the view (app/pictures/base/paths.py). */
  update(names: Record<string, string>, frame: TrainingFrame, settings: Values, ends: KeptEnds): ModelChange[]
}

/** One that trains. */
interface TrainedFigure extends LocalFigure {
  /** None if the settings are refused: `frame` says why. */
  networks(settings: Values): Record<string, TrainedNetwork | TrainedLanguage | TrainedStack>
  /** Whether its networks are independent of each other, so that threads may share them. */
  DIVISIBLE?: boolean
  /** Steps after which other networks take over, if they do. */
  HEAT?: number
  /** The networks that train now in place of the present ones, if it is time for them. */
  further?(runs: Record<string, TrainingRun>, settings: Values): Record<string, TrainedNetwork> | null
  frame(runs: Record<string, TrainingRun | LanguageProgress | StackProgress>, settings: Values): TrainingFrame
  /** A frame after a change of parameters that do not restart its run. */
  reread?(frame: TrainingFrame, settings: Values): TrainingFrame
}

/** One that calculates at once. */
interface CalculatedFigure extends LocalFigure {
  /** What is measured in a thread; null where the frame needs nothing of the kind. */
  calculation(settings: Values): Calculation | null
  /** `measured`: what the calculation has returned. */
  frame(measured: unknown, settings: Values): TrainingFrame
}

/** What a session in the browser needs of the figure on the page (`Simulation` in app/static/figure/simulation.js). */
interface TrainableFigure {
  name: string
  figure: HTMLElement
  trains?: BrowserTraining
  live: Live
  initial: Values
  first?: PatchEvent[] | null
  shelf: {states: Atlas['states'] | null; atlas(): Promise<void>; numbers(name: string): Promise<PreparedNumbers>}
  /** The name of the prepared state with these values. */
  stateOf(values: Values): string | undefined
}
