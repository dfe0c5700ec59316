// Backup and restore of generated rows: speed compared with a plain COPY that is discarded, and memory use.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { migrate } from '../server/platform/migrate.ts'

export type Order = { work: 'ceiling' | 'backup' | 'restore'; connection: pg.ClientConfig; file: string }
export type Outcome = { seconds: number; megabytes: number }

const sizes = [100_000, 1_000_000]
const folder = mkdtempSync(join(tmpdir(), 'kith-bench-backup-'))
const server = await startEmbeddedPostgres(folder)
try {
  const peaks: number[] = []
  for (const rows of sizes) peaks.push(await measure(rows))
  console.log(
    `\npeak memory at ${sizes.at(-1)! / sizes[0]!} times the rows: ${(peaks.at(-1)! / peaks[0]!).toFixed(2)} times`,
  )
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(rows: number) {
  const source = await createDatabase(`source_${rows}`)
  await migrate(source)
  for (const text of generated(rows)) await run(source, text)
  await run(source, 'vacuum analyze')
  const target = await createDatabase(`target_${rows}`)
  const file = join(folder, `${rows}.kith`)

  const ceiling = await inChild({ work: 'ceiling', connection: source, file })
  const backup = await inChild({ work: 'backup', connection: source, file })
  const restore = await inChild({ work: 'restore', connection: target, file })
  console.log(`\n${rows.toLocaleString('en')} rows, a file of ${(statSync(file).size / 1e6).toFixed(1)} MB`)
  for (const [name, { seconds, megabytes }] of Object.entries({ ceiling, backup, restore })) {
    const pace = `${Math.round(rows / seconds).toLocaleString('en')} rows/s`
    const ratio = name === 'ceiling' ? '(plain COPY, discarded)' : `ratio ${(ceiling.seconds / seconds).toFixed(2)}`
    const peak = `peak ${megabytes.toFixed(0)} MB`
    console.log(`  ${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s ${pace.padStart(17)}   ${peak}   ${ratio}`)
  }
  return Math.max(backup.megabytes, restore.megabytes)
}

async function createDatabase(database: string) {
  await run(server.superuser, `create database ${database}`)
  return { ...server.superuser, database }
}

async function run(connection: pg.ClientConfig, text: string) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(text)
  await client.end()
}

function inChild(order: Order) {
  const child = fork(join(import.meta.dirname, 'backup-once.ts'), [JSON.stringify(order)])
  return new Promise<Outcome>((resolve, reject) => {
    child.once('message', (outcome) => resolve(outcome as Outcome))
    child.once('exit', (code) => reject(new Error(`${order.work} ended with ${code}`)))
  })
}

/** Per ten rows: four requests, three changes, two audit events and one change set. */
function generated(rows: number) {
  const company = "'01900000-0000-7000-8000-000000000000'::uuid"
  const at = "timestamptz '2026-01-01' + n * interval '7 seconds'"
  const change = (n: string) => `(lpad(to_hex(${n}), 8, '0') || '-0000-7000-8000-000000000000')::uuid`
  const words = (many: number) =>
    `(select string_agg(md5((n * ${many} + i)::text), ' ') from generate_series(1, ${many}) i)`
  const series = (share: number) => `from generate_series(1, ${(rows * share) / 10}) n`
  return [
    `insert into companies (id, name) values (${company}, 'Acme')`,
    `insert into requests (company_id, id, at, door, method, route, operation, status, duration_ms, client)
     select ${company}, uuidv7(), ${at}, 'rest', 'GET', '/api/v1/records/:id', 'getRecord', 200, random() * 50, 'curl/8.9' ${series(4)}`,
    `insert into change_sets (company_id, id, at, operation, actor_id, door, request_id)
     select ${company}, ${change('n')}, ${at}, 'updateRecords', gen_random_uuid(), 'mcp', 'req_' || n ${series(1)}`,
    `insert into changes (company_id, change_set_id, position, object, record_id, action, fields)
     select ${company}, ${change('(n + 2) / 3')}, n % 3, 'people', gen_random_uuid(), 'update',
       jsonb_build_object('name', jsonb_build_array('Ada', 'Ada ' || n), 'notes', jsonb_build_array(null, ${words(8)})) ${series(3)}`,
    `insert into audit_events (company_id, id, at, action, actor_id, door, ip, request_id, data)
     select ${company}, uuidv7(), ${at}, 'records.updated', gen_random_uuid(), 'mcp', '192.0.2.1', 'req_' || n,
       jsonb_build_object('count', n, 'why', ${words(4)}) ${series(2)}`,
  ]
}
