// Submissions of a website form, beside the same insert in bare node:http and pg.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDb, createPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { migrate } from '../server/platform/migrate.ts'
import { createVault } from '../server/platform/vault.ts'
import { readFormId } from '../server/website/public-id.ts'
import { newFormToken } from '../server/website/visitor-token.ts'
import { givenFor } from '../test/given.ts'
import { compare } from './harness.ts'
import { serve } from './serve.ts'

const folder = mkdtempSync(join(tmpdir(), 'kith-bench-'))
const database = await startEmbeddedPostgres(folder)
const { superuser: connection } = database
await migrate(connection)
const pool = createPool(connection)
const given = givenFor(createDb(pool), () => new Date())
const here = (file: string) => join(import.meta.dirname, file)
const server = await serve(here('serve-kith.ts'), JSON.stringify(connection))
const vault = createVault('a secret for benchmarks')

try {
  const key = await given.key(await given.company())
  const made = await fetch(`http://localhost:${server.port}/api/v1/lead-sources`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Website' }),
  })
  const { form_id } = (await made.json()) as { form_id: string }
  const { company_id, source_id } = readFormId(form_id)!
  const ceiling = await serve(here('serve-leads-ceiling.ts'), JSON.stringify(connection), company_id, source_id)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const request = (port: number) => () => {
    const token = newFormToken(vault, source_id, new Date(Date.now() - 10_000)).text
    const values = {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      message: 'Please call me back',
    }
    const body = new URLSearchParams({ ...values, kith_token: token, kith_page: 'https://acme.example/?utm_source=x' })
    return { port, method: 'POST', path: `/public/forms/${form_id}/submissions`, headers, body: body.toString() }
  }
  const sides = { ours: request(server.port), ceiling: request(ceiling.port) }
  await compare('submit a form', sides, { bar: 0.4, seconds: 20, names: ['Kith', 'bare'] })
  await compare('submit a form, one at a time', sides, { bar: 0.4, connections: 1, names: ['Kith', 'bare'] })
  ceiling.stop()
} finally {
  server.stop()
  await pool.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
