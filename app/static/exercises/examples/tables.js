// Precomputed numbers of a worked example at all steps of its inputs.
import {preparedJson} from '../../shared/shelf-file.js'

export class Tables {
  // Null if the tables have not been built yet.
  /** @param {string} address @returns {Promise<Tables | null>} */
  static async fetched(address) {
    const tables = await preparedJson(address)
    return tables && new Tables(tables)
  }

  /** @param {ExampleTables} tables */
  constructor({steps, numbers}) {
    this.steps = steps
    this.values = Object.fromEntries(Object.entries(steps).map(([name, texts]) => [name, texts.map(Number)]))
    this.numbers = numbers
  }

  // The numbers for these texts of all inputs, as HTML; nothing if one of them is not a step.
  /** @param {Values} texts */
  at(texts) {
    const place = Object.fromEntries(
      Object.entries(this.values).map(([name, values]) => [name, values.indexOf(Number(texts[name]))]),
    )
    if (Object.values(place).includes(-1)) return null
    return this.numbers.map(
      ({of, texts, at}) => texts[at[of.reduce((sum, name) => sum * this.steps[name].length + place[name], 0)]],
    )
  }

  // The steps nearest to these values.
  /** @param {Values} texts @returns {Values} */
  nearest(texts) {
    return Object.fromEntries(
      Object.entries(this.values).map(([name, values]) => {
        const away = values.map(value => Math.abs(value - Number(texts[name])))
        return [name, this.steps[name][away.indexOf(Math.min(...away))]]
      }),
    )
  }
}
