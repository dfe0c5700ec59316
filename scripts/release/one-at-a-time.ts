// Loaded before the worker while a release is recorded: background tasks run one after the other, in the order of their
// events, so that each gets the same IDs in every recording.
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'

type Job = { id: string; data?: unknown }
type Handler = (batch: Job[]) => Promise<unknown[]>

/** How long others with an earlier event may take to arrive. */
const gatheringMs = 60
const waiting: { key: string; run(): Promise<void> }[] = []
let isRunning = false

const begin = PgBoss.prototype.work as (name: string, options: object, handler: Handler) => Promise<string>
const work = function (this: PgBoss, name: string, options: object, handler: Handler) {
  return begin.call(this, name, options, async (batch) =>
    (await Promise.all(batch.map((job) => inTurn(name, job, () => handler([job]))))).flat(),
  )
}
Object.assign(PgBoss.prototype, { work })

function inTurn<T>(name: string, { data }: Job, run: () => Promise<T>) {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const event = (data as { id?: string } | undefined)?.id ?? ''
  waiting.push({ key: `${event} ${name}`, run: () => run().then(resolve, reject) })
  void runAll()
  return promise
}

async function runAll() {
  if (isRunning) return
  isRunning = true
  while (waiting.length) {
    await sleep(gatheringMs)
    waiting.sort((a, b) => (a.key < b.key ? -1 : 1))
    await waiting.shift()!.run()
  }
  isRunning = false
}
