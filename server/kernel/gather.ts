type Waiting<In, Out> = { input: In; resolve(answer: Out): void; reject(error: unknown): void }

/**
 * Batches concurrent calls. Calls that arrive in the same turn of the event loop go out together; while `turns` batches
 * are running, new calls wait for the next one. A call never gets a result that was requested before it arrived.
 */
export function gather<In, Out>(
  serve: (all: In[]) => Promise<Out[]>,
  { turns = 2, most = 100, patienceMs = 50 }: { turns?: number; most?: number; patienceMs?: number } = {},
) {
  const waiting: Waiting<In, Out>[] = []
  let [busy, isScheduled] = [0, false]

  function begin() {
    if (isScheduled || busy >= turns || !waiting.length) return
    isScheduled = true
    setImmediate(turn)
  }

  async function turn() {
    isScheduled = false
    busy++
    const batch = waiting.splice(0, most)
    begin()
    const release = once(() => {
      busy--
      begin()
    })
    // A batch that hangs, behind a lock for instance, must not hold up the next one.
    const slow = setTimeout(release, patienceMs)
    try {
      const answers = await serve(batch.map(({ input }) => input))
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i]!)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    clearTimeout(slow)
    release()
  }

  return (input: In) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      begin()
    })
}

function once(act: () => void) {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    act()
  }
}
