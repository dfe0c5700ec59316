type Waiting<In, Out> = { asked: In; resolve(answer: Out): void; reject(error: unknown): void }

/**
 * Whoever comes while others are being served is served in the next turn, together with all who wait by then.
 * Nobody waits when there is room, and nobody is given an answer that was on its way before they came.
 */
export function gather<In, Out>(
  serve: (all: In[]) => Promise<Out[]>,
  { turns = 2, most = 100, patienceMs = 50 }: { turns?: number; most?: number; patienceMs?: number } = {},
) {
  const waiting: Waiting<In, Out>[] = []
  let busy = 0

  async function turn() {
    const some = waiting.splice(0, most)
    busy++
    const leave = once(() => {
      busy--
      if (waiting.length) void turn()
    })
    // One that hangs, behind a lock for instance, holds up only those in it.
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
      if (busy < turns) void turn()
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
