/**
 * Works on up to `limit` items at a time. If one fails or `mayGoOn` says no, no further item is begun, and those that
 * were are waited for. Returns the results in the order of the items, without those that were not begun.
 */
export async function inParallel<T, R>(
  limit: number,
  items: Iterable<T>,
  work: (item: T, index: number) => Promise<R>,
  mayGoOn = () => true,
): Promise<R[]> {
  const waiting = [...items].entries()
  const results: { index: number; result: R }[] = []
  const failures: unknown[] = []
  async function workThrough() {
    while (!failures.length && mayGoOn()) {
      const next = waiting.next()
      if (next.done) return
      const [index, item] = next.value
      try {
        results.push({ index, result: await work(item, index) })
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: limit }, workThrough))
  if (failures.length) throw failures[0]
  return results.sort((a, b) => a.index - b.index).map(({ result }) => result)
}
