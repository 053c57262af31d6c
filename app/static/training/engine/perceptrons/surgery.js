// Layers that are put before the head of a trained plain network, as in sims/engines/perceptrons/surgery.py.
import {initialOfAll} from './initialization.js'
import {layoutOf} from './layout.js'
import {outputsOf} from './run.js'

/**
 * The parameters of deeper networks that begin as trained ones: the new layers copy, or are drawn at random.
 * @param {import('./run.js').PerceptronRun} run the trained networks @param {NetworkArchitecture} deeper
 * @param {'identity' | 'random'} weights
 */
export function withLayers({layout: before, parameters: trained, seeds, recipe, data, ziggurat}, deeper, weights) {
  const after = layoutOf(deeper, data.features, outputsOf(recipe, data))
  const parameters = initialOfAll(deeper, after, seeds, ziggurat)
  const body = before.layers[before.layers.length - 1].weight,
    head = before.size - body
  for (const place of seeds.keys()) {
    const own = parameters.subarray(place * after.size, (place + 1) * after.size)
    const earlier = trained.subarray(place * before.size, (place + 1) * before.size)
    own.set(earlier.subarray(0, body))
    own.set(earlier.subarray(body), after.size - head)
    if (weights === 'random') continue
    for (const {rows, columns, weight, bias} of after.layers.slice(before.layers.length - 1, -1)) {
      own.fill(0, bias, bias + rows)
      own.fill(0, weight, weight + rows * columns)
      for (let unit = 0; unit < rows; unit++) own[weight + unit * columns + unit] = 1
    }
  }
  return parameters
}
