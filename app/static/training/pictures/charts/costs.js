// What several networks cost: what app/pictures/charts/costs.py does when it is shown.
import {formatted} from '../../../shared/numbers.js'
import {showLanes} from './lanes.js'

/**
 * `Costs.show`: the frame's `parameters` and `kept`, and its results `<name>_milliseconds`.
 * @param {import('../picture.js').Picture} picture @param {string} path @param {TrainingFrame} frame @param {Record<string, string>} labels by the names of the networks
 */
export function showCosts(picture, path, {quantities, results}, labels) {
  const names = Object.keys(labels)
  const lanes = /** @type {[string, number[], string][]} */ ([
    ['parameters', Array.from(quantities.parameters.values, value => value / 1e3), '.1f'],
    ['kept', Array.from(quantities.kept.values, value => value / 1e6), '.2f'],
    ['time', names.map(name => Number(results[`${name}_milliseconds`] ?? NaN)), '.2f'],
  ])
  for (const [key, values, form] of lanes)
    showLanes(
      picture,
      `${path}._lanes.${key}`,
      {kinds: ['bar']},
      names.map((name, at) => ({
        name: labels[name],
        value: values[at],
        text: Number.isFinite(values[at]) ? formatted(values[at], form) : 'not measured',
        kind: 'bar',
      })),
    )
}
