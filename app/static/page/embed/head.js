// Runs before the first paint: applies the theme and wording from the frame's address, or else the system's.
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
