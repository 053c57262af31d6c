// Runs before the first paint, so that nothing changes color or place under the reader's eyes.
{
  const root = document.documentElement
  root.classList.add('js')
  try {
    for (const name of ['theme', 'level'])
      if (localStorage.getItem(name)) root.dataset[name] = localStorage.getItem(name)
  } catch {
    // A browser that remembers nothing shows what the system asks for.
  }
}
