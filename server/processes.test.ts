// WEB_CONCURRENCY, as a user sets it: several processes on one port.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { preparedFolder } from '../test/installation.ts'
import { waitForProcesses } from '../test/patience.ts'
import { freePort, launch, type Started, until } from '../test/process.ts'

waitForProcesses()

const credentials = { email: 'ada@example.com', password: 'correct horse' }
let port: number
let kith: Started
let cookie: string

beforeAll(async () => {
  port = await freePort()
  const env = { ADMIN_EMAIL: credentials.email, ADMIN_PASSWORD: credentials.password, DATA_DIR: preparedFolder() }
  kith = await until(launch('main', { ...env, PORT: String(port), WEB_CONCURRENCY: '2' }), 'To restart them')
  const body = JSON.stringify(credentials)
  const json = { 'content-type': 'application/json' }
  const signedIn = await fetch(`http://localhost:${port}/app/api/session`, { method: 'POST', headers: json, body })
  cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
})
afterAll(() => kith?.child.kill('SIGTERM'))

/** The server processes. */
function processes() {
  const { pid } = kith.child
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return children.map(Number).filter((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('process.ts'))
}

/**
 * On a connection of its own, so that the processes take turns, or on a kept one. A server may close a kept connection
 * while a request is on its way, so clients send it again (RFC 9112, 9.3.1), as browsers and proxies do.
 */
const ask = (path: string, agent: Agent | false = false) =>
  new Promise<number>((resolve, reject) => {
    const asked = request({ port, path, agent, headers: { cookie } }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode!))
    })
    asked.once('error', (error: NodeJS.ErrnoException) => {
      if (asked.reusedSocket && error.code === 'ECONNRESET') ask(path, agent).then(resolve, reject)
      else reject(error)
    })
    asked.end()
  })

/** Asks until it is told to stop, below the rate limit. Returns what went wrong. */
function askOn(agent: Agent | false) {
  const seen = { answers: 0, failures: [] as string[], isOver: false }
  async function go() {
    while (!seen.isOver) {
      const status = await ask('/app/api/company', agent).catch((error: Error) => error.message)
      if (status === 200) seen.answers++
      else seen.failures.push(String(status))
      await sleep(100)
    }
  }
  const going = Promise.all([go(), go(), go()])
  return {
    seen,
    async stop() {
      seen.isOver = true
      await going
    },
  }
}

test('a restart one by one fails no request and replaces every process', async () => {
  const before = processes()
  expect(before).toHaveLength(2)
  const agent = new Agent({ keepAlive: true })
  const [onNew, onKept] = [askOn(false), askOn(agent)]
  kith.child.kill('SIGUSR2')
  await vi.waitFor(() => expect(kith.output()).toContain('Restarted'), 120_000)
  await Promise.all([onNew.stop(), onKept.stop()])
  agent.destroy()
  expect([onNew.seen.failures, onKept.seen.failures]).toEqual([[], []])
  expect(onNew.seen.answers).toBeGreaterThan(10)
  const after = processes()
  expect(after).toHaveLength(2)
  expect(after.filter((pid) => before.includes(pid))).toEqual([])
})

test('a process that dies is replaced, and the other one answers meanwhile', async () => {
  const [victim, other] = processes() as [number, number]
  process.kill(victim, 'SIGKILL')
  await vi.waitFor(() => expect(kith.output()).toContain('ended unexpectedly (SIGKILL)'), 60_000)
  for (let i = 0; i < 10; i++) expect(await ask('/app/api/company')).toBe(200)
  await vi.waitFor(() => expect(processes()).toHaveLength(2), 120_000)
  expect(processes()).toContain(other)
})

test('stops with all its processes', async () => {
  const all = processes()
  kith.child.kill('SIGTERM')
  expect(await kith.ended).toBe(0)
  expect(kith.output()).toMatch(/Stopping\s+Stopped/)
  expect(kith.output().match(/Stopping/g)).toHaveLength(1)
  for (const pid of all) expect(() => process.kill(pid, 0)).toThrow()
})
