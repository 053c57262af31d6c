// Curves of what a signal and its gradient meet, block by block: what app/pictures/charts/signal_lines.py does when it is
// shown.

/** @typedef {import('../picture.js').Picture} Picture */

const SIGNALS = ['stream', 'gradient', 'likeness']

/**
 * `SignalLines.show`: for each signal, a value per place for every time.
 * @param {Picture} picture @param {string} path @param {Record<string, Record<string, Quantity['values']>>} values by signal and time
 */
export function showSignalLines(picture, path, values) {
  for (const name of SIGNALS) {
    const curves = Object.entries(values[name])
    for (const [time, curve] of curves) {
      const shown = Array.from(curve, value => (name === 'likeness' || value > 0 ? value : NaN))
      picture.set(`${path}._charts.${name}.x_range`, {end: curve.length - 1})
      picture.set(`${path}._lines.${name}.${time}`, {data: {x: shown.map((_, place) => place), y: shown}})
    }
    if (name !== 'likeness')
      picture.fit(
        `${path}._charts.${name}`,
        curves.map(([, curve]) => curve),
      )
  }
}
