// Whether this is a copy of the site without a server of its own, and what it says of those that have one.
export const STATIC = document.documentElement.hasAttribute('data-static')

export function elsewhere() {
  const {live} = document.documentElement.dataset
  return live ? `Live simulations: ${live}` : 'README says how to start a server of your own.'
}
