// As in app/pictures/charts/lit_network.py.
const DARK_AFTER = 8, // powers of ten below 1
  DARKEST = 0.07

/** The opacity of a line for a size of 10 to the power of `decades`, up to 1. @param {number} decades */
export const brightness = decades => Math.min(Math.max(1 + decades / DARK_AFTER, DARKEST), 1)
