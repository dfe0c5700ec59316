type Waiting<In, Out> = { asked: In; resolve(answer: Out): void; reject(error: unknown): void }

/**
 * Whoever comes while others are being served is served in the next turn, together with all who wait by then.
 * Nobody waits when there is room, and nobody is given an answer that was on its way before they came.
 */
export function gather<In, Out>(serve: (all: In[]) => Promise<Out[]>, { turns = 2, most = 100 } = {}) {
  const waiting: Waiting<In, Out>[] = []
  let busy = 0

  async function turn() {
    const some = waiting.splice(0, most)
    busy++
    try {
      const answers = await serve(some.map(({ asked }) => asked))
      for (const [i, { resolve }] of some.entries()) resolve(answers[i]!)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
    busy--
    if (waiting.length) void turn()
  }

  return (asked: In) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ asked, resolve, reject })
      if (busy < turns) void turn()
    })
}
