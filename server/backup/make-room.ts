// Refuses to overwrite existing data, then drops the empty tables of an installation that was never set up.
import { StartError } from '../platform/config.ts'
import { findPending, inTransaction, type Migration } from '../platform/migrate.ts'
import { dropsOfTwins, nameIn, tablesIn } from './catalog.ts'
import type { Session } from './session.ts'

const advice = 'Set DATA_DIR to an empty folder, or DATABASE_URL to an empty database, and restore there.'

export async function makeRoom(session: Session, known: Migration[]) {
  const { client, schema } = session
  const pending = await findPending(client, known)
  const applied = known.filter((migration) => !pending.includes(migration))
  await refuseCompanies(session)
  const { names, drops } = await shapeOf(session, applied)
  const others = (await tablesIn(session)).filter(({ name }) => name !== 'migrations' && !names.has(name))
  if (others.length)
    throw new StartError(
      `This database contains tables of other applications (${others.map(({ name }) => name).join(', ')}). ${advice}`,
    )
  await refuseRunningKith(session)
  for (const drop of drops) await client.query(drop)
  await client.query(`truncate ${nameIn(schema, 'migrations')}`)
}

async function refuseCompanies({ client, schema }: Session) {
  const companies = nameIn(schema, 'companies')
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [companies])
  if (!rows[0]!.exists) return
  const { rowCount } = await client.query(`select from ${companies} limit 1`)
  if (rowCount) throw new StartError(`This database already contains a company. Nothing was changed. ${advice}`)
}

/** Finds what these migrations create by running them in a schema that is rolled back. */
async function shapeOf(session: Session, migrations: Migration[]) {
  const { client, schema } = session
  const twin = 'kith_shape'
  await client.query('savepoint shape')
  await client.query(`create schema ${twin}`)
  await client.query("select set_config('search_path', $1 || ', ' || current_setting('search_path'), true)", [twin])
  for (const migration of migrations) await client.query(inTransaction(migration))
  const names = new Set((await tablesIn({ client, schema: twin })).map(({ name }) => name))
  const drops = await dropsOfTwins({ client, schema }, twin)
  await client.query('rollback to savepoint shape')
  return { names, drops }
}

/** The embedded database has one owner at a time. On other servers, a running Kith is recognized by its connections. */
export async function refuseRunningKith({ client }: Pick<Session, 'client'>) {
  const { rowCount } = await client.query(
    "select from pg_stat_activity where datname = current_database() and application_name = 'kith' limit 1",
  )
  if (rowCount) throw new StartError('Kith is running on this database. Stop it and try again.')
}
