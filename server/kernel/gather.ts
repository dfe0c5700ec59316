type Waiting<In, Out> = { asked: In; resolve(answer: Out): void; reject(error: unknown): void }

/**
 * Whoever comes while others are being served is served in the next turn, together with all who wait by then. When there
 * is room nobody waits, but for those who come in the same breath, and nobody is given an answer that was on its way
 * before they came.
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
