/**
 * Messages during whose reading the connection ended. They are read one at a time, so that one that ends every
 * connection is found and set aside, and others are not blamed.
 */
export type Suspects = ReturnType<typeof createSuspects>

/** A connection can also end by chance. */
const mostStrikes = 5

export function createSuspects() {
  const strikes = new Map<string, number>()
  return {
    isSuspect: (key: string) => strikes.has(key),
    isGuilty: (key: string) => (strikes.get(key) ?? 0) >= mostStrikes,
    clear: (key: string) => strikes.delete(key),
    /** The connection ended while these were read. */
    note(keys: string[]) {
      for (const key of keys) strikes.set(key, (strikes.get(key) ?? 0) + (keys.length === 1 ? 1 : 0))
    },
  }
}
