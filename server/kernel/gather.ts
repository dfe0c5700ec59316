type Waiting<In, Out> = { asked: In; resolve(answer: Out): void; reject(error: unknown): void }

/**
 * Batches concurrent calls. Calls that arrive in the same turn of the event loop go out together; while `turns` batches
 * are running, new calls wait for the next one. A call never gets an answer that was on its way before it arrived.
 */
export function gather<In, Out>(
  serve: (all: In[]) => Promise<Out[]>,
  { turns = 2, most = 100, patienceMs = 50 }: { turns?: number; most?: number; patienceMs?: number } = {},
) {
  const waiting: Waiting<In, Out>[] = []
  let [busy, isComing] = [0, false]

  function begin() {
    if (isComing || busy >= turns || !waiting.length) return
    isComing = true
    setImmediate(turn)
  }

  async function turn() {
    isComing = false
    busy++
    const some = waiting.splice(0, most)
    begin()
    const leave = once(() => {
      busy--
      begin()
    })
    // A batch that hangs, behind a lock for instance, must not hold up the next one.
    const slow = setTimeout(leave, patienceMs)
    try {
      const answers = await serve(some.map(({ asked }) => asked))
      for (const [i, { resolve }] of some.entries()) resolve(answers[i]!)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
    clearTimeout(slow)
    leave()
  }

  return (asked: In) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ asked, resolve, reject })
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
