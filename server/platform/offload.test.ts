import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import type * as works from '../../test/offload/work.ts'
import { createOffload, type Offload, workIn } from './offload.ts'

const module = new URL('../../test/offload/work.ts', import.meta.url)
const add = workIn<typeof works.add>(module, 'add')
const spin = workIn<typeof works.spin>(module, 'spin')
const fillMemory = workIn<typeof works.fillMemory>(module, 'fillMemory')
const endThread = workIn<typeof works.endThread>(module, 'endThread')
const fail = workIn<typeof works.fail>(module, 'fail')
const bytes = workIn<typeof works.bytes>(module, 'bytes')
const thread = workIn<typeof works.thread>(module, 'thread')
const waitFor = workIn<typeof works.waitFor>(module, 'waitFor')

const logged: string[] = []
const log = pino({ level: 'trace' }, new Writable({ write: (line, _, done) => done(void logged.push(String(line))) }))
let offload: Offload | undefined
const started = (limits: Omit<Parameters<typeof createOffload>[0], 'log'> = {}) => {
  logged.length = 0
  offload = createOffload({ log, ...limits })
  return offload
}
afterEach(() => offload?.stop())

test('work is done in another thread, and bytes come back without being copied', async () => {
  const { run } = started()
  expect(await run('a', add, [1, 2])).toEqual({ value: 3 })
  const outcome = await run('a', bytes, [100_000])
  expect('value' in outcome && outcome.value.files[0]!.content.subarray(0, 2)).toEqual(new Uint8Array([7, 7]))
})

test.each([
  ['takes too long', 'time', spin],
  ['needs too much memory', 'died', fillMemory],
  ['ends its thread', 'died', endThread],
] as const)('work that %s ends alone: it is logged, and the next one works', async (_, failure, work) => {
  const { run } = started({ cpuMs: 200, heapMb: 64, ...(work === fillMemory && { cpuMs: 30_000, mostMs: 60_000 }) })
  const [ended, next] = await Promise.all([run('a', work as typeof endThread, []), run('a', add, [1, 2])])
  expect([ended, next]).toEqual([{ failure }, { value: 3 }])
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ company_id: 'a', failure, work: work.name }])
})

test('an error says nothing of what was read', async () => {
  const { run } = started()
  expect(await run('a', fail, ['a secret'])).toEqual({ failure: 'error' })
  expect(logged.join()).toContain('TypeError')
  expect(logged.join()).not.toContain('a secret')
})

const held = () => {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const release = () => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  return { gate, release }
}

test('what takes long for one company holds up none of the others', async () => {
  const { run } = started()
  const { gate, release } = held()
  const first = run('a', waitFor, [gate])
  let isDone = false
  const second = run('a', add, [1, 2]).then(() => {
    isDone = true
  })
  expect(await run('b', add, [1, 2])).toEqual({ value: 3 })
  expect(await run('c', add, [1, 2])).toEqual({ value: 3 })
  expect(isDone, 'a company uses one thread at a time').toBe(false)
  release()
  await Promise.all([first, second])
})

test('companies take turns, however much one of them sends', async () => {
  const { run } = started({ threads: 1 })
  const { gate, release } = held()
  const done: string[] = []
  const note = (company: string) => run(company, add, [1, 2]).then(() => void done.push(company))
  const first = run('x', waitFor, [gate])
  const all = [...Array.from({ length: 4 }, () => note('a')), note('b'), note('c'), note('b')]
  release()
  await Promise.all([first, ...all])
  expect(done).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a'])
})

test('the thread ends when it has nothing to do, and another one begins when there is work', async () => {
  const { run } = started({ idleMs: 1 })
  const first = await run('a', thread, [])
  await vi.waitFor(async () => expect(await run('a', thread, [])).not.toEqual(first), { timeout: 15_000 })
})

test('what waits when the process stops is not at fault', async () => {
  const { run, stop } = started()
  const waiting = [run('a', spin, []), run('b', add, [1, 2])].map((one) => one.catch(({ code }) => code))
  await stop()
  expect(await Promise.all(waiting)).toEqual(['ECANCELED', 'ECANCELED'])
  await expect(run('a', add, [1, 2])).rejects.toMatchObject({ code: 'ECANCELED' })
})

test('a thread without work keeps no process alive', async () => {
  const program = `
    import { createOffload, workIn } from ${JSON.stringify(new URL('./offload.ts', import.meta.url).href)}
    const { run } = createOffload({ log: { warn() {} } })
    console.log((await run('a', workIn(new URL(${JSON.stringify(module.href)}), 'add'), [1, 2])).value)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  let text = ''
  child.stdout.on('data', (piece) => {
    text += piece
  })
  const [code] = await once(child, 'exit')
  expect({ code, text }).toEqual({ code: 0, text: '3\n' })
})
