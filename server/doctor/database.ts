// Whether the database can be used, has the shape that this code expects, and fits the secret key.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Config, StartError } from '../platform/config.ts'
import { borrowDatabase, type Database, unreachable } from '../platform/database.ts'
import { hasEmbeddedPostgres, runsEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { refuseOldServer } from '../platform/migrate.ts'
import { compareMigrations } from '../platform/on-database.ts'
import { createVault } from '../platform/vault.ts'
import { type Finding, failed, ok, warning, within, wordsOf } from './finding.ts'

type Opened = { finding: Finding; client: pg.Client | null; connection: pg.ClientConfig; close(): Promise<void> }
const check = 'Database'
const seconds = { start: 9, answer: 4, stop: 5 }

/** Joins the database of a running Kith, or starts it for a while. */
export async function openForCheck(config: Config): Promise<Opened> {
  const nothing = { client: null, connection: {}, close: async () => {} }
  const { databaseUrl, dataDir } = config
  if (!databaseUrl && !hasEmbeddedPostgres(dataDir)) {
    const advice = 'npm start makes one. If Kith ran before, check DATA_DIR, or set DATABASE_URL.'
    return { ...nothing, finding: warning(check, `There is none in ${dataDir} yet`, advice) }
  }
  const where = databaseUrl ? 'DATABASE_URL' : runsEmbeddedPostgres(dataDir) ? 'own, running' : 'own, started for this'
  const opening = borrowDatabase(config, () => {})
  const close = () =>
    within(
      seconds.stop,
      opening.then(
        (database) => database.stop(),
        () => {},
      ),
    ).catch(() => {})
  try {
    const { connection, owner } = await within(seconds.start, opening)
    await (await connect(connection)).end()
    // As the owner: before the first start, the app's role cannot read anything.
    const client = await connect(owner, config.databaseOwnerUrl && 'DATABASE_OWNER_URL')
    const version = await versionOf(client)
    return {
      finding: ok(check, `PostgreSQL ${version}, ${where}`),
      client,
      connection,
      close: async () => {
        await client.end().catch(() => {})
        await close()
      },
    }
  } catch (error) {
    const [found = '', ...advice] = (error instanceof StartError ? error.message : wordsOf(error)).split('\n')
    const look = databaseUrl ? 'Check DATABASE_URL.' : `Look into ${join(dataDir, 'logs', 'postgres.log')}.`
    return { ...nothing, close, finding: failed(check, found, advice.join(' ') || look) }
  }
}

async function connect(connection: Database['connection'], setting?: string) {
  const client = new pg.Client({
    ...connection,
    application_name: 'kith doctor',
    connectionTimeoutMillis: seconds.answer * 1000,
    query_timeout: seconds.answer * 1000,
  })
  client.on('error', () => {}) // The query that was lost tells.
  await client.connect().catch((error) => {
    throw connection.connectionString ? unreachable(connection.connectionString, error, setting) : error
  })
  return client
}

async function versionOf(client: pg.Client) {
  try {
    await refuseOldServer(client)
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]!.server_version
  } catch (error) {
    await client.end()
    throw error
  }
}

export async function checkMigrations(client: pg.Client, isRunning: boolean): Promise<Finding> {
  const { applied, pending, unknown, edited } = await compareMigrations(client)
  const check = 'Migrations'
  if (unknown.length) {
    const advice = 'Update this installation to the version that made it, then restart it.'
    return failed(check, `A newer Kith changed the database: ${unknown.join(', ')}`, advice)
  }
  if (edited.length) {
    const advice = 'Restore the files in db/migrations; changes go into a new one.'
    return failed(check, `Edited after it had been applied: ${edited.join(', ')}`, advice)
  }
  if (!pending.length) return ok(check, `${applied} applied, none pending`)
  const found = `${pending.length} pending: ${pending.join(', ')}`
  if (isRunning) return failed(check, found, 'Restart Kith, which applies them.')
  return warning(check, found, 'npm start applies them. Until then the rest cannot be looked at.')
}

/** SECRET_KEY or the file, which is never made here. */
export function findSecret({ secretKey, dataDir }: Config) {
  if (secretKey) return { secret: secretKey, file: null }
  const file = join(dataDir, 'secret.key')
  return { secret: existsSync(file) ? readFileSync(file, 'utf8').trim() : null, file }
}

export async function checkSecret(client: pg.Client, config: Config): Promise<Finding> {
  const check = 'Secret key'
  const { secret, file } = findSecret(config)
  const { rows } = await client.query<{ value: string }>("select value from installation where name = 'vault'")
  const known = rows[0]?.value
  const lost =
    'Copy secret.key from the DATA_DIR where Kith ran before, or set SECRET_KEY. If it is lost for good, start once with FORGET_SECRETS=1.'
  if (!secret) {
    return known ? failed(check, `${file} is missing`, lost) : ok(check, 'None yet; npm start makes it')
  }
  if (known && createVault(secret).fingerprint !== known) {
    return failed(check, 'It is not the one that sealed the secrets in this database', lost)
  }
  if (!file) return ok(check, 'SECRET_KEY fits the database')
  const mode = statSync(file).mode & 0o777
  if (!(mode & 0o077)) return ok(check, `${file} fits the database`)
  return warning(check, `Others may read ${file} (${mode.toString(8)})`, `Run chmod 600 ${file}`)
}
