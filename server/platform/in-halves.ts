// One of many can make all fail. Halving finds it, and the others are done.

type Failing<T> = {
  /** Whether one of them is at fault. Any other error ends everything. */
  isOfOne(error: unknown, items: T[]): boolean
  /** For one that failed alone. */
  leave(item: T, error: unknown): Promise<unknown>
}

export async function inHalves<T>(items: T[], work: (items: T[]) => Promise<unknown>, failing: Failing<T>) {
  if (!items.length) return
  try {
    await work(items)
  } catch (error) {
    if (!failing.isOfOne(error, items)) throw error
    if (items.length === 1) return void (await failing.leave(items[0]!, error))
    const half = Math.ceil(items.length / 2)
    await inHalves(items.slice(0, half), work, failing)
    await inHalves(items.slice(half), work, failing)
  }
}
