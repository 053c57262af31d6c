// Stochastic depth, as in sims/engines/perceptrons/stochastic_depth.py: each step leaves out some blocks at random.
import {Generator} from '../numerics/draws.js'
import {PerceptronRun} from './run.js'

/** More steps than any run has, between the engine's own records: those would measure networks with missing blocks. */
export const NEVER = 1e9

/** Which stream of a seed's random numbers chooses the blocks; weights (0) and batches (1) have others. */
const STREAM = 2

/**
 * A run in which each step leaves out block l of L with probability l/L · (1 − last). Its network is a ReZero network whose
 * factors are 1: with the factor 0, a branch adds nothing and gets no gradient. What a step does to the factors is dropped.
 * Records are those of the whole network, in which every branch is scaled by its probability to stay.
 */
export class ThinnedRun extends PerceptronRun {
  /**
   * @param {import('../group.js').Engine} engine @param {TrainedPerceptron} network with no records of its own
   * @param {import('../data.js').Data} points @param {import('../numerics/draws.js').Ziggurat} ziggurat
   * @param {Float32Array} initial parameters (seeds, size), the factors included
   * @param {number} last the probability that the last block stays @param {number} every steps between two records
   */
  constructor(engine, {architecture, recipe, seeds}, points, ziggurat, initial, last, every) {
    super(engine, architecture, recipe, points, seeds, ziggurat, initial)
    const {blocks} = this.layout
    this.every = every
    /** The probability that a block takes part in a step. */
    this.survival = Array.from({length: blocks}, (_, block) => 1 - ((block + 1) / blocks) * (1 - last))
    /** @type {TrainingRecord[]} */
    this.records = []
    this.look()
  }

  /** @override @param {number} steps */
  advance(steps) {
    for (let taken = 0; taken < steps; taken++) {
      const step = this.step + 1
      this.setFactors(seed => {
        const random = new Generator([seed, STREAM, step], this.ziggurat)
        return this.survival.map(share => Number(random.nextShare() < share))
      })
      this.segment(1)
      this.setFactors(() => this.survival.map(() => 1))
      if (step % this.every === 0) this.look()
    }
  }

  /** Adds a record of the whole network at this step. */
  look() {
    this.setFactors(() => this.survival)
    this.evaluate()
    this.setFactors(() => this.survival.map(() => 1))
    this.records.push(this.now)
    this.onRecord?.()
  }

  /** @param {(seed: number) => number[]} factorsOf the factors of all blocks */
  setFactors(factorsOf) {
    const {size, factors} = this.layout
    for (const [place, seed] of this.seeds.entries()) this.parameters.set(factorsOf(seed), place * size + factors)
  }
}
