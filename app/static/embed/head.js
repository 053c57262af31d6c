// Runs before the first paint: colors and words as the address of the frame wants them, else as the system does.
{
  const root = document.documentElement,
    query = new URLSearchParams(location.search)
  root.classList.add('js')
  for (const [name, among] of /** @type {[string, string[]][]} */ ([
    ['theme', ['light', 'dark']],
    ['level', ['beginner', 'expert']],
  ]))
    if (among.includes(query.get(name) ?? '')) root.dataset[name] = /** @type {string} */ (query.get(name))
}
