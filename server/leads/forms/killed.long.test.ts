// Everything that was answered as accepted is there once, whatever ends the processes.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { install } from '../../../test/installation.ts'
import { sized } from '../../../test/long.ts'
import { waitForProcesses } from '../../../test/patience.ts'

waitForProcesses()

const count = sized(80, 1000)
const kith = await install({ TRUST_PROXY: '1' })
afterAll(() => kith.remove())

test(`with kill -9 of database and server amid ${count} submissions, every accepted one is a lead once`, async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const create = (name: string) => api.createLeadSource({ name, duplicates: 'create' })
  // A form takes five submissions in a second.
  const sources = await Promise.all(['One', 'Two', 'Three', 'Four'].map(create))
  const send = (path: string, i: number, body?: URLSearchParams) =>
    fetch(`${kith.url}/public/forms/${sources[i % sources.length]!.form_id}/${path}`, {
      headers: { 'x-forwarded-for': `203.0.${Math.floor(i / 200)}.${(i % 200) + 1}` },
      ...(body && { method: 'POST', body }),
    }).catch(() => undefined)

  const accepted = new Set<string>()
  let isOver = false
  async function tokenFor(i: number) {
    for (; !isOver; await sleep(100)) {
      const form = await send('description', i)
      if (!form?.ok) continue
      const { token } = (await form.json()) as { token: string }
      // Who sends within three seconds is asked to solve a puzzle.
      await sleep(3000)
      return token
    }
    return ''
  }
  async function isAccepted(i: number, kith_token: string) {
    const email = `p${i}@example.com`
    const answer = await send('submissions', i, new URLSearchParams({ email, kith_token }))
    const result = (await answer?.json().catch(() => undefined)) as { state?: string } | undefined
    if (answer?.status !== 201 || result?.state !== 'accepted') return false
    accepted.add(email)
    return true
  }
  /** As the script does: with the same token until there is an answer. */
  async function submit(i: number, token?: string) {
    const known = token ?? (await tokenFor(i))
    while (!isOver && !(await isAccepted(i, known))) await sleep(100)
  }
  // These have their tokens already when the server is killed, so they are sent while it is away.
  const early = await Promise.all([count, count + 1].map(async (i) => ({ i, token: await tokenFor(i) })))
  const all = count + early.length
  let next = 0
  const sender = async () => {
    while (next < count && !isOver) await submit(next++)
  }
  const senders = Promise.all(Array.from({ length: 60 }, sender))
  let { server } = kith
  const restart = async () => {
    await kith.kill(server)
    const { i, token } = early.shift()!
    expect(await isAccepted(i, token)).toBe(false)
    server = await kith.startServer()
    await submit(i, token)
  }
  const kills = [() => kith.killPostgres(), restart, () => kith.killPostgres().then(restart)]
  for (const [i, kill] of kills.entries()) {
    await kith.eventually(async () => accepted.size >= (count * (i + 1)) / 5, 200)
    await kill()
  }
  await kith
    .eventually(async () => accepted.size === all, 300)
    .finally(() => {
      isOver = true
    })
  await senders
  await kith.eventually(
    async () => (await api.listLeadSubmissions({ state: 'received', limit: 1 })).items.length === 0,
    120,
  )
  const { rows } = await kith.pool.query(
    `select values ->> 'email' as email from records where company_id = $1 and values ->> 'email' is not null`,
    [admin.company_id],
  )
  expect(rows.map(({ email }) => email).sort()).toEqual([...accepted].sort())
}, 420_000)

test('while the database is away, the sender gets an error to retry, never a success', async () => {
  const away = await testApp({ own: true })
  const admin = await away.given.company()
  const { form_id } = await away.withKey(await away.given.key(admin)).createLeadSource({ name: 'Website' })
  await away.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  const { pools } = away
  const original = pools.work.connect
  pools.work.connect = (() => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))) as never
  const answer = await away.send(`/public/forms/${form_id}/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'email=a@example.com',
  })
  pools.work.connect = original
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
})
