/** When nothing else is to be done. Returns what calls it off. */
export function whenIdle(run: () => void) {
  // Safari cannot tell.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, 1500)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(run)
  return () => cancelIdleCallback(asked)
}
