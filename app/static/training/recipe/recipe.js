// How the networks of a figure are trained, from its settings: what the figures' simulations pass to `Recipe` and to `start`.

/**
 * A recipe without warm-up and clipping, with this many points of a curve over a whole run.
 * @param {Values} settings @param {number | null} batch @param {number} curve @returns {TrainingRecipe}
 */
export const recipeOf = ({optimizer, learning_rate: rate, training_steps: steps}, batch, curve) => ({
  optimizer,
  learning_rate: Number(rate),
  batch,
  record_every: Math.floor(Number(steps) / curve),
  clip: null,
})

/** The seeds of a run, the first of which is a setting. @param {Values} settings */
export const seedsOf = ({seeds, seed}) => Array.from({length: Number(seeds)}, (_, index) => Number(seed) + index)

/** The numbers among the settings that trainings share. @param {Values} settings */
export const trainingNumbers = ({learning_rate: rate, training_steps: steps, seeds, seed}) => ({
  learningRate: Number(rate),
  trainingSteps: Number(steps),
  seeds: Number(seeds),
  seed: Number(seed),
})
