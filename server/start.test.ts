// The product as a user starts it: its own process, its own database, signals and all.

import { once } from 'node:events'
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testDatabase } from '../test/database.ts'
import { preparedFolder } from '../test/installation.ts'
import { waitForProcesses } from '../test/patience.ts'
import { databaseUrlOf, freePort, launch, until } from '../test/process.ts'

waitForProcesses()

const home = mkdtempSync(join(tmpdir(), 'kith-start-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function connected(port: number) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

describe('with its own database', () => {
  let port: number
  let env: Record<string, string>
  const url = (path: string) => `http://localhost:${port}${path}`
  const start = async () => until(launch('main', env), 'Kith is ready')
  const credentials = { email: 'ada@example.com', password: 'correct horse' }
  const json = { 'content-type': 'application/json' }
  const signIn = () =>
    fetch(url('/app/api/session'), { method: 'POST', headers: json, body: JSON.stringify(credentials) })
  beforeAll(async () => {
    port = await freePort()
    env = { PORT: String(port), DATA_DIR: join(home, 'own') }
  })

  test('starts from nothing, keeps everything after kill -9, and stops cleanly', async () => {
    const first = await start()
    expect(first.output()).toContain(`Kith is ready at http://localhost:${port}\n`)
    expect(first.output()).toMatch(/\/set-up#token=[\w-]{43}/)
    expect((await fetch(url('/'))).status).toBe(200)
    const form = { ...credentials, company_name: 'Acme', name: 'Ada' }
    const made = await fetch(url('/app/api/set-up'), { method: 'POST', headers: json, body: JSON.stringify(form) })
    expect(made.status).toBe(201)
    first.child.kill('SIGKILL')
    await first.ended

    const second = await start()
    expect(second.output()).not.toContain('set-up')
    expect((await signIn()).status).toBe(201)
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(second.output()).toMatch(/Stopping\s+Stopped/)
  })

  test('refuses a second start with the same data or on a port in use, with advice', async () => {
    const first = await start()
    const sameData = launch('main', { ...env, PORT: '0' })
    expect(await sameData.ended).toBe(1)
    expect(sameData.output()).toContain('Kith is already running with')
    const samePort = launch('main', { ...env, DATA_DIR: join(home, 'other') })
    expect(await samePort.ended).toBe(1)
    expect(samePort.output()).toMatch(/Port \d+ is already in use/)
    expect((await fetch(url('/readyz'))).status).toBe(200)

    const worker = await until(launch('worker', env), 'worker is ready')
    worker.child.kill('SIGTERM')
    expect(await worker.ended).toBe(0)
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(0)
  })

  test('finishes running requests when asked to stop', async () => {
    const { child, ended } = await start()
    const { headers } = await signIn()
    const cookie = headers.getSetCookie()[0]!.split(';')[0]!
    const sockets = await Promise.all(Array.from({ length: 40 }, () => connected(port)))
    // In one piece: when the first request is answered, the second one has been read.
    const sent = ['/livez', '/app/api/company']
      .map((path) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`)
      .join('')
    const answers = sockets.map(() => '')
    for (const [i, socket] of sockets.entries()) socket.on('data', (text) => (answers[i] = answers[i]! + text))
    const begun = sockets.map((socket) => once(socket, 'data'))
    for (const socket of sockets) socket.write(sent)
    await Promise.all(begun)
    child.kill('SIGTERM')
    const statuses = () => answers.map((text) => text.match(/HTTP\/1\.1 \d+/g))
    await expect.poll(statuses).toEqual(sockets.map(() => ['HTTP/1.1 200', 'HTTP/1.1 200']))
    expect(await ended).toBe(0)
  })

  test('writes structured logs without query strings, cookies or passwords', () => {
    const log = readFileSync(join(env.DATA_DIR!, 'logs', 'kith.1.log'), 'utf8')
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.some((line) => line.route === '/app/api/session' && line.status === 201 && line.request_id)).toBe(true)
    expect(log).not.toContain(credentials.password)
    expect(log).not.toMatch(/kith_session=/)
  })
})

describe('with DATABASE_URL', () => {
  test('two server processes share one database; the first Admin comes from the environment', async () => {
    const { connection } = await testDatabase({ from: 'template0' })
    const DATABASE_URL = databaseUrlOf(connection)
    const ports = [await freePort(), await freePort()]
    const env = {
      DATABASE_URL,
      DATA_DIR: join(home, 'shared'),
      ADMIN_EMAIL: 'ops@example.com',
      ADMIN_PASSWORD: 'correct horse',
      LOG: 'off',
    }
    const both = await Promise.all(
      ports.map((port) => until(launch('main', { ...env, PORT: String(port) }), 'Kith is ready')),
    )
    expect(both.map((one) => one.output().includes('Created the first Admin')).filter(Boolean)).toHaveLength(1)
    const body = JSON.stringify({ email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD })
    const [first, second] = ports.map((port) => `http://localhost:${port}/app/api/session`) as [string, string]
    const signedIn = await fetch(first, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
    expect(await (await fetch(second, { headers: { cookie } })).json()).toMatchObject({ state: 'signed_in' })
    await fetch(first, { method: 'DELETE', headers: { cookie, 'content-type': 'application/json' } })
    expect(await (await fetch(second, { headers: { cookie } })).json()).toMatchObject({ state: 'signed_out' })
    for (const { child } of both) child.kill('SIGTERM')
    expect(await Promise.all(both.map((one) => one.ended))).toEqual([0, 0])
  })
})

test('readyz reports that the database is down, livez does not, and the database recovers', async () => {
  const port = await freePort()
  const dataDir = preparedFolder()
  const { child, ended, output } = await until(
    launch('main', { PORT: String(port), DATA_DIR: dataDir }),
    'Kith is ready',
  )
  const ask = (path: string) => fetch(`http://localhost:${port}${path}`)
  const becomes = (status: number) =>
    vi
      .waitFor(async () => expect((await ask('/readyz')).status).toBe(status), 120_000)
      .catch((error) => {
        throw new Error(`${error.message}\n${output()}`)
      })
  try {
    const cluster = join(dataDir, 'postgres/cluster')
    const postmaster = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
    renameSync(cluster, `${cluster}.away`) // So that it cannot be started again before we have looked.
    process.kill(postmaster, 'SIGKILL')
    await becomes(503)
    expect((await ask('/livez')).status).toBe(200)
    const refused = await ask('/app/api/session')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    renameSync(`${cluster}.away`, cluster)
    await becomes(200)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
})
