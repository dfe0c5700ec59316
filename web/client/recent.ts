/** A map that forgets its oldest entries, for what is kept as long as the page is open. */
export function recent<Value>(most: number) {
  const entries = new Map<string, Value>()
  return {
    get: (key: string) => entries.get(key),
    set(key: string, value: Value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > most) entries.delete(entries.keys().next().value!)
    },
    delete: (key: string) => entries.delete(key),
  }
}
