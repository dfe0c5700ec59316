import { network, tooMany } from '../credentials/throttle.ts'

/** Challenges per five minutes for visitors who are not signed in. Opening the sign-in page takes one. */
const limits = { windowMs: 5 * 60 * 1000, address: 60, all: 5000 }

/** Limits the challenges, each of which costs a row. A count per process is enough to keep the table small. */
export function createFloodGate() {
  let began = 0
  let all = 0
  let counts = new Map<string, number>()

  return function admit(ip: string, now: Date) {
    const age = now.getTime() - began
    if (age < 0 || age >= limits.windowMs) {
      began = now.getTime()
      all = 0
      counts = new Map()
    }
    const address = network(ip)
    const count = counts.get(address) ?? 0
    if (count >= limits.address || all >= limits.all) {
      throw tooMany(Math.ceil((began + limits.windowMs - now.getTime()) / 1000))
    }
    counts.set(address, count + 1)
    all++
  }
}
