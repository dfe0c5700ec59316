// Everything that was answered as accepted is there once, whatever ends the processes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { databaseUrlOf, freePort, launch, type Started, until } from '../../test/process.ts'

const kith = await testApp()
const home = mkdtempSync(join(tmpdir(), 'kith-leads-'))
const started: Started[] = []
afterAll(() => {
  for (const { child } of started) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

const count = Number(process.env.KILLED_SUBMISSIONS ?? 120)

test('with kill -9 of the server under many submissions, every accepted one is a lead once', async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const source = await api.createLeadSource({ name: 'Website', duplicates: 'create' })
  const port = await freePort()
  const env = {
    DATA_DIR: home,
    PORT: String(port),
    TRUST_PROXY: '1',
    DATABASE_URL: databaseUrlOf(kith.connection),
    DATABASE_OWNER_URL: databaseUrlOf(kith.owner),
  }
  const start = async () => {
    const server = await until(launch('main', env), `localhost:${port}`)
    started.push(server)
    return server
  }
  const send = (path: string, i: number, body?: URLSearchParams) =>
    fetch(`http://localhost:${port}/public/forms/${source.form_id}/${path}`, {
      headers: { 'x-forwarded-for': `203.0.${Math.floor(i / 200)}.${(i % 200) + 1}` },
      ...(body && { method: 'POST', body }),
    }).catch(() => undefined)

  let server = await start()
  const accepted = new Set<string>()
  /** As the script does: with the same token until there is an answer. */
  async function submit(i: number) {
    const email = `p${i}@example.com`
    let token: string | undefined
    for (let attempt = 0; attempt < 300; attempt++) {
      if (attempt) await sleep(100)
      if (!token) {
        const form = await send('description', i)
        token = form?.ok ? ((await form.json()) as { token: string }).token : undefined
        continue
      }
      const body = new URLSearchParams({ email, kith_token: token })
      const answer = await send('submissions', i, body)
      if (answer?.status !== 201) continue
      const { state } = (await answer.json()) as { state: string }
      // Sent within three seconds: the page would solve a puzzle, so wait instead.
      if (state === 'challenge') await sleep(3000)
      else return void accepted.add(email)
    }
  }
  const all = Promise.all(Array.from({ length: count }, (_, i) => sleep(i * 30).then(() => submit(i))))
  for (const pause of [2500, 4000]) {
    await sleep(pause)
    server.child.kill('SIGKILL')
    await server.ended
    server = await start()
  }
  await all
  expect(accepted.size).toBe(count)
  for (let i = 0; i < 600; i++) {
    const { items } = await api.listLeadSubmissions({ state: 'received', limit: 1 })
    if (!items.length) break
    await sleep(200)
  }
  const emails: string[] = []
  let cursor: string | undefined
  do {
    const page = await api.listRecords({ object: 'leads', limit: 100, ...(cursor && { cursor }) })
    emails.push(...page.records.map(({ email }) => String(email)))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  expect(emails.sort()).toEqual([...accepted].sort())
}, 180_000)

test('while the database is away, the sender gets an error to retry, never a success', async () => {
  const away = await testApp()
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
