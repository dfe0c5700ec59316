const mostMs = 15

/** Long work calls this between its parts, so that other calls get their turn on the event loop. */
export function breathing() {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < mostMs) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}
