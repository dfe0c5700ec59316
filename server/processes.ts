// WEB_CONCURRENCY: several server processes on one port. This process starts and replaces them and runs the database. It
// accepts the connections and hands them out in turns.
import cluster, { type Worker as Child } from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, StartError } from './platform/config.ts'
import { prepare } from './start.ts'

type Say = (text: string) => void
/** What a process is told when it starts. */
export type Orders = { name: string; setUpToken: string | null }
/** What it says: that it listens to its orders, and then that it serves. */
export type Said = 'waiting' | 'ready'

/** A process that ended sooner is started again only after a while, which grows. */
const soonMs = 10_000
const longestWaitMs = 30_000

export async function startProcesses(config: Config, say: Say) {
  await using building = new AsyncDisposableStack()
  const { setUpToken } = await prepare(config, say, building)
  if (config.metricsPort) {
    const { serveMetricsOfAll } = await import('./metrics/serve.ts')
    building.defer((await serveMetricsOfAll({ ...config, metricsPort: config.metricsPort })).stop)
  }
  const group = await forkAll(config.processes, (number) => ({ name: `kith-${number}`, setUpToken }), say)
  building.defer(group.stop)
  const restart = () => void group.restart()
  process.on('SIGUSR2', restart)
  building.defer(async () => void process.off('SIGUSR2', restart))
  const running = building.move()
  return { setUpToken, stop: () => running.disposeAsync() }
}

async function forkAll(count: number, ordersFor: (number: number) => Orders, say: Say) {
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'process.ts') })
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  /** What serves now, by number. */
  const serving = new Map<number, Child>()
  const stopping = new AbortController()
  let restarting: Promise<void> | undefined

  async function fork(number: number) {
    const child = cluster.fork()
    const began = Date.now()
    const gone = once(child, 'exit') as Promise<[number | null, string | null]>
    const ready = Promise.withResolvers<true>()
    child.on('message', (said: Said) => {
      if (said === 'waiting') child.send(ordersFor(number))
      else if (said === 'ready') ready.resolve(true)
    })
    if (!(await Promise.race([ready.promise, gone.then(() => false)])))
      throw new StartError('A server process ended while it was starting. The reason is above.')
    const replaced = serving.get(number)
    serving.set(number, child)
    void gone.then(([code, signal]) => {
      // Another one serves in its place, or none should.
      if (serving.get(number) !== child || stopping.signal.aborted) return
      say(`Server process ${number} ended unexpectedly (${signal ?? code}). Starting it again`)
      void keepTrying(number, Date.now() - began < soonMs ? 1000 : 0)
    })
    if (replaced) await end(replaced)
  }

  async function keepTrying(number: number, firstWaitMs: number) {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * 2 || 1000)) {
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {}) // Stopped.
      if (stopping.signal.aborted) return
      try {
        return await fork(number)
      } catch {
        // It said why. The next try comes later.
      }
    }
  }

  /** Replaces one after the other. A new one serves before the old one stops accepting connections. */
  async function replaceAll() {
    say('Restarting the server processes')
    try {
      for (const number of numbers) if (!stopping.signal.aborted) await fork(number)
      say('Restarted')
    } catch (error) {
      if (!stopping.signal.aborted) say(`${(error as Error).message} The others go on as before.`)
    }
  }

  async function stop() {
    stopping.abort()
    await Promise.all(Object.values(cluster.workers ?? {}).map((child) => child && end(child)))
    await restarting
  }

  try {
    // The first alone, so that a start that fails says why once.
    await fork(1)
    await Promise.all(numbers.slice(1).map(fork))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    stop,
    restart: () => {
      restarting ??= replaceAll().finally(() => {
        restarting = undefined
      })
      return restarting
    },
  }
}

/** It answers the requests that it has, and finishes its background work. */
async function end(child: Child) {
  if (child.isDead()) return
  const gone = once(child, 'exit')
  child.process.kill('SIGTERM')
  await gone
}
