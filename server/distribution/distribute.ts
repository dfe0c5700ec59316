// Spreads the tables of companies over a Citus cluster, and brings them back. Each table is moved and compared in one
// transaction, so that an interrupted run goes on where it stopped. Foreign keys are dropped first and added last: Citus
// accepts none between a table that is distributed and one that is not yet.
import { nameIn, type Table, tablesIn } from '../backup/catalog.ts'
import { type Check, checkTable } from '../backup/checksums.ts'
import { refuseRunningKith } from '../backup/make-room.ts'
import { openSession, type Session } from '../backup/session.ts'
import { StartError } from '../platform/config.ts'
import { findPending, lockMigrations, migrationsFolder, readMigrations } from '../platform/migrate.ts'
import type { Progress } from '../platform/terminal.ts'
import { kindsOf, refuseWithoutCitus } from './citus.ts'
import { companyColumn, distributed, known, local, transitional } from './tables.ts'

type Step = { table: string; kind: 'distributed' | 'known' | 'local'; rows: number; isDone: boolean }
export type Plan = { version: string; workers: number; steps: Step[] }
export type Moved = { tables: number; rows: number; workers: number }

type Wanted = Parameters<typeof openSession>[0]
type Way = 'distribute' | 'undo'

/** What would happen to each table. Changes nothing. */
export async function planOf(connection: Wanted, way: Way, signal?: AbortSignal): Promise<Plan> {
  const session = await openSession(connection, 'kith distribute', signal)
  try {
    return await readPlan(session, way)
  } finally {
    await session.close()
  }
}

export async function distribute(
  connection: Wanted,
  way: Way,
  progress: Progress,
  signal?: AbortSignal,
): Promise<Moved> {
  const session = await openSession(connection, 'kith distribute', signal)
  const { client, schema } = session
  try {
    const { steps, workers } = await readPlan(session, way)
    await refuseRunningKith(session)
    await lockMigrations(client)
    await keepForeignKeys(session)
    const open = steps.filter(({ kind, isDone }) => kind !== 'local' && !isDone)
    const tables = new Map((await tablesIn(session)).map((table) => [table.name, table]))
    let rows = 0
    for (const [i, { table, kind }] of open.entries()) {
      progress(way === 'undo' ? 'Bringing back' : 'Distributing', i / open.length)
      rows += (await moveTable(session, tables.get(table)!, commandFor(way, table, kind, schema))).rows
    }
    progress('Adding foreign keys', 1)
    await restoreForeignKeys(session)
    return { tables: open.length, rows, workers }
  } finally {
    await session.close()
  }
}

async function readPlan(session: Session, way: Way): Promise<Plan> {
  const { client } = session
  const { version, workers } = await refuseWithoutCitus(client)
  await refuseOtherVersion(session)
  const kinds = await kindsOf(client)
  const steps: Step[] = []
  for (const { name } of await tablesIn(session)) {
    const kind = distributed.includes(name)
      ? ('distributed' as const)
      : known.includes(name)
        ? ('known' as const)
        : ('local' as const)
    if (kind === 'local' && !local.includes(name)) continue
    const isThere = kinds.has(name)
    steps.push({ table: name, kind, rows: await countRows(session, name), isDone: isThere === (way === 'distribute') })
  }
  return { version, workers: workers.length, steps }
}

async function countRows({ client, schema }: Session, name: string) {
  const { rows } = await client.query<{ rows: number }>(`select count(*)::float8 as rows from ${nameIn(schema, name)}`)
  return rows[0]!.rows
}

/** The tables must be those that this version knows. */
async function refuseOtherVersion({ client }: Session) {
  await client.query('begin')
  try {
    const pending = await findPending(client, readMigrations(migrationsFolder))
    if (pending.length)
      throw new StartError('The database must be migrated first. Start Kith once, and run this again.')
  } finally {
    await client.query('rollback')
  }
}

function commandFor(way: Way, table: string, kind: Step['kind'], schema: string) {
  const name = `'${nameIn(schema, table)}'::regclass`
  if (way === 'undo') return `select undistribute_table(${name})`
  if (kind === 'known') return `select citus_add_local_table_to_metadata(${name})`
  const beside = table === 'companies' ? 'none' : nameIn(schema, 'companies')
  return `select create_distributed_table(${name}, '${companyColumn(table)}', colocate_with => '${beside}')`
}

/** Locks the table against writes until it has moved, and compares all rows before and after. */
async function moveTable(session: Session, table: Table, command: string): Promise<Check> {
  const { client, schema } = session
  await client.query('begin')
  try {
    await client.query(`lock table ${nameIn(schema, table.name)} in exclusive mode`)
    const before = await checkTable(session, table)
    await client.query(command)
    const after = await checkTable(session, table)
    if (before.rows !== after.rows || before.checksum !== after.checksum)
      throw new StartError(
        `${table.name} has ${after.rows} rows after it was moved, with another checksum; before it had ${before.rows}. It was left as it was.`,
      )
    await client.query('commit')
    return after
  } catch (error) {
    await client.query('rollback').catch(() => {}) // The connection may have ended.
    throw error
  }
}

/** Outside of the schema of Kith, so that a backup does not contain it. */
const kept = 'kith_distribution.foreign_keys'

/** Drops triggers, and the foreign keys of tables that move, and writes down how to add these again, in one transaction. */
async function keepForeignKeys({ client, schema }: Session) {
  await client.query('begin')
  await client.query(
    `create schema if not exists kith_distribution;
     create table if not exists ${kept} (position serial primary key, add text not null)`,
  )
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %I.%I drop constraint %I', $1::text, c.relname, k.conname) as drop,
       format('alter table %I.%I add constraint %I %s', $1::text, c.relname, k.conname, pg_get_constraintdef(k.oid)) as add
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = $1::regnamespace and c.relname = any($2)
     order by c.relname, k.conname`,
    [schema, [...distributed, ...known]],
  )
  for (const name of transitional) await client.query(`drop function if exists ${schema}.${name}() cascade`)
  for (const { drop, add } of rows) {
    await client.query(`insert into ${kept} (add) values ($1)`, [add])
    await client.query(drop)
  }
  await client.query('commit')
}

async function restoreForeignKeys({ client }: Session) {
  const { rows } = await client.query<{ position: number; add: string }>(
    `select position, add from ${kept} order by position`,
  )
  for (const { position, add } of rows) {
    await client.query('begin')
    await client.query(add)
    await client.query(`delete from ${kept} where position = $1`, [position])
    await client.query('commit')
  }
  await client.query('drop schema kith_distribution cascade')
}
