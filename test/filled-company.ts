// A company with rows in every table, for tests that move it.
import { randomUUIDv7 } from 'node:crypto'
import pg from 'pg'
import { nameIn, tablesIn } from '../server/backup/catalog.ts'
import { openSession } from '../server/backup/session.ts'
import { inOrder } from '../server/company-move/contents.ts'
import { fillCompany } from '../server/demo/fill.ts'
import { companyColumn, distributed } from '../server/distribution/tables.ts'
import { diskStore } from '../server/files/store.ts'
import type { TestApp } from './app.ts'

/** Nothing in an export may contain it. */
export const secret = 'kept-in-the-source'

const byType: Record<string, string> = {
  bigint: '1',
  boolean: 'true',
  bytea: `'${secret}'`,
  date: 'current_date',
  'double precision': '1',
  integer: '1',
  jsonb: `'{}'`,
  numeric: '1',
  smallint: '1',
  text: `'one'`,
  'text[]': `'{one}'`,
  'timestamp with time zone': 'now()',
  'uuid[]': `'{}'`,
}
/** Where a constraint allows only some values. */
const allowed: Record<string, string> = {
  'dashboards.sharing': `'private'`,
  'jobs.state': `'done'`,
}
const secrets = [
  ['channels', 'secrets'],
  ['lead_destinations', 'secrets'],
  ['mail_settings', 'password'],
  ['users', 'totp_secret'],
  ['webhooks', 'secret'],
  ['webhooks', 'old_secret'],
  ['webhooks', 'headers'],
]

/** Sample data, one row in each table that has none, secrets wherever there can be some, and files. */
export async function filledCompany(kith: TestApp, values: { name: string }) {
  const admin = await kith.given.company({ ...values, hasViews: true })
  const { company_id } = admin
  await fillCompany(kith.db, { company_id, now: kith.time.now, seed: company_id })
  const key = await kith.given.key(admin)
  await kith.given.session(admin)
  await kith.given.user(admin)
  const file = await addFile(kith, company_id)
  const session = await openSession(kith.owner, 'kith test')
  const { client, schema } = session
  const all = (await tablesIn(session)).filter(({ name }) => distributed.includes(name) || name === 'pictures')
  for (const { name } of await inOrder(session, all)) {
    const where = `where ${companyColumn(name)} = '${company_id}'`
    if (!(await client.query(`select from ${nameIn(schema, name)} ${where} limit 1`)).rowCount)
      await addRow(client, name, company_id)
  }
  for (const [table, column] of secrets)
    await client.query(`update ${table} set ${column} = '${secret}' where company_id = '${company_id}'`)
  await session.close()
  return { ...admin, key, file }
}

async function addFile({ db, filesFolder }: TestApp, company_id: string) {
  const id = randomUUIDv7()
  const { size, sha256 } = await diskStore(filesFolder).put(`${company_id}/${id}`, [Buffer.alloc(300_000, company_id)])
  const row = { company_id, id, purpose: 'import', name: 'a.txt', type: 'text/plain', size, sha256 }
  await db
    .insertInto('files')
    .values({ ...row, created_at: new Date() })
    .execute()
  return `${company_id}/${id}`
}

type Column = { name: string; type: string; is_needed: boolean }

async function addRow(client: pg.Client, table: string, company_id: string) {
  const { rows: columns } = await client.query<Column>(
    `select attname::text as name, format_type(atttypid, atttypmod) as type,
       attnotnull and not atthasdef or atttypid = 'bytea'::regtype as is_needed
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const values = new Map<string, string>()
  for (const { name, type, is_needed } of columns)
    if (is_needed) values.set(name, allowed[`${table}.${name}`] ?? byType[type] ?? `'${randomUUIDv7()}'`)
  for (const { columns, to, others } of await referencesOf(client, table)) {
    const found = await client.query<Record<string, string>>(
      `select ${others.join(', ')} from ${to} where ${companyColumn(to)} = $1 limit 1`,
      [company_id],
    )
    for (const [index, column] of columns.entries())
      if (values.has(column)) values.set(column, pg.escapeLiteral(String(found.rows[0]![others[index]!])))
  }
  values.set(companyColumn(table), pg.escapeLiteral(company_id))
  await client.query(
    `insert into ${table} (${[...values.keys()].join(', ')}) values (${[...values.values()].join(', ')})`,
  )
}

type Reference = { columns: string[]; to: string; others: string[] }

const referencesOf = async (client: pg.Client, table: string) =>
  (
    await client.query<Reference>(
      `select confrelid::regclass::text as to,
         array(select attname::text from unnest(conkey) with ordinality k(n, i)
           join pg_attribute on attrelid = conrelid and attnum = k.n order by i) as columns,
         array(select attname::text from unnest(confkey) with ordinality k(n, i)
           join pg_attribute on attrelid = confrelid and attnum = k.n order by i) as others
       from pg_constraint where contype = 'f' and conrelid = $1::regclass`,
      [table],
    )
  ).rows
