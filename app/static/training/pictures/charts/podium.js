// The podium of a race: what the podium of app/pictures/charts/race_track.py does when it is shown. Heights are in pixels.
import {percent} from '../../../shared/numbers.js'
import {TOLD_APART} from '../../comparisons/standings.js'

/** @typedef {import('./race-track.js').Runner} Runner */

const PILLARS = [140, 100, 60, 30] // for the first place, the second, and so on
const MANY = 6 // more names than these are upright
const TITLE = 28,
  SHORT = 30,
  LONG = 130,
  CLEAR = 6,
  RULE_ROOM = 43
const GAP = 0.05, // beside a pillar, and beside the mark on it, as shares of the width for one name
  CAP = 0.12
const SHARING = `All pairs of seeds are compared. A place is shared\nunless its leader wins ${percent(TOLD_APART)} of them.`

/**
 * Who has finished by a step, in the order of places, and then those who have not.
 * @param {import('../picture.js').Picture} picture @param {string} path @param {string[]} colors @param {Runner[]} runners @param {number} step
 */
export function showPodium(picture, path, colors, runners, step) {
  const home = runners
    .filter(({finish}) => finish <= step)
    .sort((one, other) => one.place - other.place || one.finish - other.finish)
  const out = runners.filter(runner => !home.includes(runner))
  const count = runners.length
  const room = count > MANY ? LONG : SHORT,
    angle = count > MANY ? Math.PI / 2 : 0
  const height = TITLE + room + CLEAR + PILLARS[0] + RULE_ROOM
  picture.set(`${path}.figure`, {height})
  picture.set(`${path}.figure.x_range`, {start: 0, end: count})
  picture.set(`${path}.figure.y_range`, {start: -RULE_ROOM, end: height - TITLE - RULE_ROOM})
  const names = briefNames(runners)
  const tops = home.map(({place}) => PILLARS[Math.min(place, PILLARS.length) - 1])
  const places = home.map(({place}) => place)
  const columns = [...home.keys()]
  const first = columns.filter(at => at === places.indexOf(places[at]))
  const ends = first.map(at => at + places.filter(place => place === places[at]).length)
  const arrival = (/** @type {number[]} */ chosen) => ({
    when: chosen.map(at => home[at].finish),
    alpha: chosen.map(() => 1),
  })
  picture.set(`${path}.pillars`, {
    data: {
      left: first.map(at => at + GAP),
      right: ends.map(end => end - GAP),
      top: first.map(at => tops[at]),
      ...arrival(first),
    },
  })
  for (const color of colors) {
    const own = columns.filter(at => home[at].color === color)
    picture.set(`${path}._caps.${color}`, {
      data: {
        left: own.map(at => at + CAP),
        right: own.map(at => at + 1 - CAP),
        y: own.map(at => tops[at]),
        dash: own.map(at => home[at].dash),
        ...arrival(own),
      },
    })
  }
  picture.set(`${path}.numbers`, {
    data: {
      x: first.map((at, index) => (at + ends[index]) / 2),
      y: first.map(at => tops[at] / 2),
      text: first.map(at => String(places[at])),
      ...arrival(first),
    },
  })
  picture.set(`${path}.names`, {
    data: {
      x: columns.map(at => at + 0.5),
      y: tops.map(top => top + CLEAR + room / 2),
      text: home.map(({label}) => names[label]),
      angle: home.map(() => angle),
      ...arrival(columns),
    },
  })
  picture.set(`${path}.waiting`, {
    data: {
      x: out.map((_, at) => home.length + at + 0.5),
      y: out.map(() => CLEAR + room / 2),
      text: out.map(({label}) => names[label]),
      angle: out.map(() => angle),
    },
  })
  picture.set(`${path}._rule`, {data: {x: [0], y: [-CLEAR], text: [SHARING]}})
}

/** Only the last line of each label, if that is enough to tell the runner from the others. @param {Runner[]} runners */
function briefNames(runners) {
  const brief = (/** @type {string} */ label) => label.split('\n').slice(-1)[0]
  const all = runners.map(({label}) => brief(label))
  const whole = (/** @type {string} */ label) => (runners.length > MANY ? label.replaceAll('\n', ' ') : label)
  const isOwn = (/** @type {string} */ label) => all.filter(other => other === brief(label)).length === 1
  return Object.fromEntries(runners.map(({label}) => [label, isOwn(label) ? brief(label) : whole(label)]))
}
