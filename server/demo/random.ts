import { hash } from 'node:crypto'

export type Random = ReturnType<typeof createRandom>

/** The same seed gives the same numbers on every machine. */
export function createRandom(seed: string) {
  const bytes = hash('sha256', seed, 'buffer')
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => bytes.readInt32LE(at)) as [number, number, number, number]

  // sfc32: small, fast, and good enough for names.
  function next() {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + t) | 0
    return (t >>> 0) / 2 ** 32
  }
  for (let i = 0; i < 12; i++) next()

  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  const pick = <T>(list: readonly T[]): T => list[int(0, list.length - 1)]!
  const shuffled = <T>(list: readonly T[]): T[] => {
    const left = [...list]
    return Array.from(list, () => left.splice(int(0, left.length - 1), 1)[0]!)
  }
  return {
    next,
    int,
    pick,
    shuffled,
    chance: (share: number) => next() < share,
    /** A separate stream, so that the numbers of one part do not affect another. */
    fork: (name: string) => createRandom(`${seed} ${name}`),
  }
}
