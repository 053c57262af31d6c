// Which prerendered state of a figure has certain values, or is nearest to them.
import {STATIC} from '../shared/static-copy.js'
import {pressed} from '../shared/pressed.js'

/** @param {string | undefined} one @param {string | undefined} other */
const same = (one, other) => one === other || (one !== '' && other !== '' && Number(one) === Number(other))

// The name of the state with these values; nothing if there is none.
/** @param {import('./simulation.js').Simulation} simulation @param {Values} values */
export function stateOf(simulation, values) {
  const {
    scrubbed,
    first,
    initial,
    live: {defaults},
    shelf: {states},
  } = simulation
  const on = scrubbed.map(([name]) => name)
  /** @param {string} name */
  const own = name => initial[name] ?? defaults[name]
  if (Object.keys(values).some(name => !on.includes(name) && !same(values[name], own(name)))) return undefined
  if (first && on.every(name => same(values[name], own(name)))) return 'first'
  const name = scrubbed.map(([parameter, texts]) => texts.findIndex(text => same(text, values[parameter]))).join('-')
  return states?.[name] ? name : undefined
}

// Where nothing can be computed: the state nearest to these values. An arrow key moves to the next one.
/** @param {import('./simulation.js').Simulation} simulation @param {Values} values */
export function nearest(simulation, values) {
  if (!STATIC || simulation.trains) return undefined
  const close = simulation.scrubbed.map(([name, texts]) => {
    const steps = texts.map(Number),
      target = Number(values[name]),
      current = Number(simulation.live.values[name])
    if (steps.some(Number.isNaN) || Number.isNaN(target)) return [name, values[name]]
    const nearest = (/** @type {number[]} */ among) =>
      among.reduce((one, other) => (Math.abs(other - target) < Math.abs(one - target) ? other : one))
    const ahead = steps.filter(step => (step - current) * (target - current) > 0)
    const stuck = !pressed() && nearest(steps) === current && ahead.length
    return [name, String(nearest(stuck ? ahead : steps))]
  })
  return stateOf(simulation, {...values, ...Object.fromEntries(close)})
}
