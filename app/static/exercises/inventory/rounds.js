// The two rounds of the concept inventory, as this browser keeps them.
export const KEPT = 'concepts' // the name under which its answers are stored, next to the entries of the pages
export const FORMS = /** @type {const} */ (['A', 'B'])

/** @typedef {'A' | 'B'} Form */
/** @typedef {Record<string, any>} Kept the form that came first, the option of each item, and when a form was handed in */

export const other = (/** @type {Form} */ letter) => (letter === 'A' ? 'B' : 'A')

// The forms that were handed in, in their order.
/** @param {Kept} stored @returns {Form[]} */
export function rounds(stored) {
  const {first} = stored
  return FORMS.includes(first) ? [first, other(first)].filter(letter => Number.isFinite(stored[`${letter}-done`])) : []
}

// Both rounds of one reader in one message, or null until both are handed in. `options` has the number of options of
// each item. Whatever is not one of them counts as "I do not know", as on the page.
/** @param {Kept} stored @param {Record<string, number>} options */
export function pair(stored, options) {
  const [first, second] = rounds(stored)
  if (!second) return null
  const said = (/** @type {string} */ item) => {
    const option = stored[item]
    return Number.isInteger(option) && option > 0 && option <= options[item] ? option : 0
  }
  return {first, answers: Object.fromEntries(Object.keys(options).map(item => [item, said(item)]))}
}
