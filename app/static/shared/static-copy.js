// Whether this is a static copy of the site without a server, and its message about live copies.
export const STATIC = document.documentElement.hasAttribute('data-static')

export function elsewhere() {
  const {live} = document.documentElement.dataset
  return live ? `Live simulations: ${live}` : 'README says how to start a server of your own.'
}
