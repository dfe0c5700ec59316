// Runs work on what strangers sent in threads, with limits on time and memory, so that nothing else waits for it. A thread
// does one piece of work at a time. There are two, of which a company uses one at a time, so that others do not wait for it.
import { Worker } from 'node:worker_threads'
import type { Log } from './log.ts'

/** An exported function of a module. What it takes and returns is copied between the threads. */
export type Work<F extends AnyFunction> = { module: string; name: string; of?: F }
type AnyFunction = (...args: never[]) => unknown

export const workIn = <F extends AnyFunction>(module: URL, name: string): Work<F> => ({ module: module.href, name })

/** `time`: it exceeded its time. `died`: the thread ended, for example because its memory was full. */
export type Failure = 'time' | 'died' | 'error'
export type Outcome<Value> = { value: Value } | { failure: Failure }

export type Offload = ReturnType<typeof createOffload>

/** CPU time, because a busy machine is not the fault of a message. On the clock, it may take `mostMs`. */
const usual = { threads: 2, cpuMs: 2000, mostMs: 20_000, loadMs: 60_000, idleMs: 5 * 60_000, heapMb: 128 }
type Limits = typeof usual

type Job = {
  company_id: string
  name: string
  message: object
  /** Handed over instead of copied. */
  moved: ArrayBuffer[]
  /** CPU time that it may take beyond the usual, because of its size. */
  moreMs: number
  settle: PromiseWithResolvers<Outcome<never>>
}
type Answer = { began: NodeJS.CpuUsage } | { value: never } | { error: string }

export function createOffload({ log, ...given }: { log: Log } & Partial<Limits>) {
  const limits = { ...usual, ...given }
  const waiting = new Map<string, Job[]>()
  const threads = Array.from({ length: limits.threads }, () => createThread(limits, log, begin))
  let isStopped = false

  function begin() {
    // One that is there already, before another one is started.
    const free = threads
      .filter(({ running }) => !running())
      .toSorted((a, b) => Number(b.isThere()) - Number(a.isThere()))
    for (const thread of free) {
      const job = nextJob()
      if (job) thread.begin(job)
    }
  }

  /** Of the company that has waited longest since its last turn. */
  function nextJob() {
    const busy = new Set(threads.map(({ running }) => running()?.company_id))
    for (const [company_id, jobs] of waiting) {
      if (busy.has(company_id)) continue
      const job = jobs.shift()!
      waiting.delete(company_id)
      if (jobs.length) waiting.set(company_id, jobs)
      return job
    }
    return undefined
  }

  return {
    run<F extends AnyFunction>(
      company_id: string,
      { module, name }: Work<F>,
      args: Parameters<F>,
      { moved = [], moreMs = 0 }: { moved?: ArrayBuffer[]; moreMs?: number } = {},
    ): Promise<Outcome<Awaited<ReturnType<F>>>> {
      if (isStopped) return Promise.reject(stopped())
      const settle = Promise.withResolvers<Outcome<never>>()
      const job = { company_id, name, message: { module, name, args }, moved, moreMs, settle }
      const before = waiting.get(company_id)
      if (before) before.push(job)
      else waiting.set(company_id, [job])
      begin()
      return settle.promise
    },

    async stop() {
      isStopped = true
      for (const { settle } of [...waiting.values()].flat()) settle.reject(stopped())
      waiting.clear()
      await Promise.all(threads.map(({ stop }) => stop()))
    },
  }
}

const cache = process.env.NODE_COMPILE_CACHE

/** `finished`: it can begin something else. */
function createThread(limits: Limits, log: Log, finished: () => void) {
  let thread: Worker | undefined
  let running: Job | undefined
  let timers: NodeJS.Timeout[] = []

  function begin(job: Job) {
    running = job
    noLimits()
    thread ??= start()
    thread.ref()
    limit(limits.loadMs, () => fail('time'))
    thread.postMessage(job.message, job.moved)
  }

  function start() {
    const worker = new Worker(new URL('./offload-thread.ts', import.meta.url), {
      execArgv: [],
      env: cache ? { NODE_COMPILE_CACHE: cache } : {},
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 16 },
    })
    const isOurs = () => worker === thread
    worker.on('message', (answer: Answer) => {
      if (!isOurs() || !running) return
      if ('began' in answer) watch(worker, answer.began)
      else if ('value' in answer) finish({ value: answer.value })
      else {
        log.warn({ ...about(), error: answer.error }, 'foreign content could not be read')
        finish({ failure: 'error' })
      }
    })
    const died = () => {
      if (!isOurs()) return
      thread = undefined
      if (running) fail('died')
    }
    worker.on('error', died)
    worker.on('messageerror', died)
    worker.on('exit', died)
    return worker
  }

  const about = () => ({ company_id: running!.company_id, work: running!.name })

  function limit(ms: number, exceeded: () => void) {
    const timer = setTimeout(exceeded, ms)
    timers.push(timer)
    return timer
  }
  function noLimits() {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }

  function watch(worker: Worker, began: NodeJS.CpuUsage) {
    noLimits()
    const job = running!
    const cpuMs = limits.cpuMs + job.moreMs
    limit(limits.mostMs + job.moreMs, () => fail('time'))
    const look = async () => {
      const used = await worker.cpuUsage(began).catch(() => undefined)
      if (running !== job || worker !== thread || !used) return
      const left = cpuMs - (used.user + used.system) / 1000
      if (left <= 0) fail('time')
      else limit(Math.max(left, 20), () => void look())
    }
    limit(cpuMs, () => void look())
  }

  function fail(failure: Failure) {
    log.warn({ ...about(), failure }, 'foreign content could not be read')
    void thread?.terminate()
    thread = undefined
    finish({ failure })
  }

  function finish(outcome: Outcome<never>) {
    noLimits()
    const { settle } = running!
    running = undefined
    settle.resolve(outcome)
    finished()
    if (running || !thread) return
    thread.unref()
    // It holds some memory, which a small installation needs more than the thread.
    const idle = thread
    limit(limits.idleMs, () => {
      thread = undefined
      void idle.terminate()
    }).unref()
  }

  return {
    begin,
    running: () => running,
    isThere: () => thread !== undefined,
    async stop() {
      noLimits()
      running?.settle.reject(stopped())
      running = undefined
      const ended = thread?.terminate()
      thread = undefined
      await ended
    },
  }
}

/** The code is that of a system error: what was to be read is not at fault. */
const stopped = () => Object.assign(new Error('Kith is stopping.'), { code: 'ECANCELED' })
