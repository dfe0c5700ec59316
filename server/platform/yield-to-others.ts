const mostMs = 15

/** Long-running work calls the returned function regularly, so that it does not block the event loop. */
export function breathing() {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < mostMs) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}
