// Runs before the first paint, so that a dark screen never flashes white.
;(() => {
  let theme = 'auto'
  try {
    theme = localStorage.getItem('kith-theme') || 'auto'
  } catch {
    // Storage can be forbidden; the system's choice is a fair answer then.
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
