// A company with many people, its server and the ceiling. RECORDS_FOLDER keeps the databases for the next run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDb, createPool, type Pool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { migrate } from '../server/platform/migrate.ts'
import { givenFor } from '../test/given.ts'
import { checkPeople, forgetCreated, seedPeople } from './records-people.ts'
import { serve } from './serve.ts'

const here = (file: string) => join(import.meta.dirname, file)
export type Place = Awaited<ReturnType<typeof prepare>>

export async function prepare(size: number) {
  await using building = new AsyncDisposableStack()
  const kept = process.env.RECORDS_FOLDER
  const folder = kept ? join(kept, String(size)) : mkdtempSync(join(tmpdir(), 'kith-bench-'))
  if (!kept) building.defer(() => rmSync(folder, { recursive: true, force: true }))
  const database = await startEmbeddedPostgres(folder)
  building.defer(database.stop)
  const { superuser: connection } = database
  await migrate(connection)
  const pool = createPool(connection)
  const { key, isNew } = await companyIn(pool)
  await pool.end()
  const json = JSON.stringify(connection)
  const first = await serve(here('serve-kith.ts'), json)
  building.defer(() => first.stop())
  const call = async (path: string, body: unknown) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const url = `http://localhost:${first.port}/api/v1${path}`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json()
  }
  const began = performance.now()
  if (isNew) {
    await call('/objects/people/fields', { key: 'visits', label: 'Visits', type: 'number' })
    await seedPeople(connection, size)
  } else await forgetCreated(connection)
  const ids = await checkPeople(
    connection,
    async (some) => (await call('/records/people/lookup', { ids: some })).records,
  )
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`${size} people ${isNew ? 'made' : 'found'} in ${seconds} s; 200 of them checked`)
  // The process that is measured has not made people, and is not the first: Node has kept what it compiled.
  await first.stop()
  const ours = await serve(here('serve-kith.ts'), json)
  building.defer(() => ours.stop())
  const ceiling = await serve(here('serve-records-ceiling.ts'), json)
  building.defer(() => ceiling.stop())
  const running = building.move()
  const stop = () => running.disposeAsync()
  return { size, key, ids, connection, ours, ceiling, stop }
}

async function companyIn(pool: Pool) {
  const given = givenFor(createDb(pool), () => new Date())
  const { rows } = await pool.query('select company_id, id as user_id, email from users limit 1')
  return { key: await given.key(rows[0] ?? (await given.company())), isNew: !rows.length }
}
