// Checks that the database can be reached, has the expected migrations and matches the secret key.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Config, StartError } from '../platform/config.ts'
import { hasEmbeddedPostgres, runsEmbeddedPostgres } from '../platform/embedded-postgres.ts'
import { refuseOldServer } from '../platform/migrate.ts'
import { borrowDatabase, type Database, unreachable } from '../platform/open-database.ts'
import { createVault } from '../platform/vault.ts'
import { compareMigrations } from '../platform/with-database.ts'
import { type Finding, failed, ok, warning, within, wordsOf } from './finding.ts'

type Opened = {
  finding: Finding
  opened: { client: pg.Client; database: Database } | null
  close(): Promise<void>
}
const check = 'Database'
const seconds = { start: 9, answer: 4, stop: 5 }

/** Connects to the database of a running Kith, or starts it for the duration of the check. */
export async function openForCheck(config: Config): Promise<Opened> {
  const nothing = { opened: null, close: async () => {} }
  const { databaseUrl, dataDir } = config
  if (!databaseUrl && !hasEmbeddedPostgres(dataDir)) {
    const advice = 'npm start creates one. If Kith ran before, check DATA_DIR or set DATABASE_URL.'
    return { ...nothing, finding: warning(check, `There is no database in ${dataDir} yet`, advice) }
  }
  const embedded = (await runsEmbeddedPostgres(dataDir)) ? 'embedded, running' : 'embedded, started for this check'
  const where = databaseUrl ? 'DATABASE_URL' : embedded
  const opening = borrowDatabase(config, () => {})
  const close = () =>
    within(
      seconds.stop,
      opening.then(
        (database) => database.stop(),
        () => {},
      ),
    ).catch(() => {}) // The doctor has its finding; a database that does not stop in time changes nothing.
  try {
    const database = await within(seconds.start, opening)
    const { connection, owner } = database
    await (await connect(connection)).end()
    // Uses the owner, because the app's role cannot read anything before the first start.
    const client = await connect(owner, config.databaseOwnerUrl && 'DATABASE_OWNER_URL')
    const version = await versionOf(client)
    return {
      finding: ok(check, `PostgreSQL ${version}, ${where}`),
      opened: { client, database },
      close: async () => {
        await client.end().catch(() => {}) // The connection may have ended already.
        await close()
      },
    }
  } catch (error) {
    const [found = '', ...advice] = (error instanceof StartError ? error.message : wordsOf(error)).split('\n')
    const fallback = databaseUrl ? 'Check DATABASE_URL.' : `See ${join(dataDir, 'logs', 'postgres.log')}.`
    return { ...nothing, close, finding: failed(check, found, advice.join(' ') || fallback) }
  }
}

async function connect(connection: Database['connection'], setting?: string) {
  const client = new pg.Client({
    ...connection,
    application_name: 'kith doctor',
    connectionTimeoutMillis: seconds.answer * 1000,
    query_timeout: seconds.answer * 1000,
  })
  client.on('error', () => {}) // The running query reports the error.
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
    const advice = 'Update this installation to that version and restart it.'
    return failed(check, `A newer version of Kith has migrated the database: ${unknown.join(', ')}`, advice)
  }
  if (edited.length) {
    const advice = 'Restore the original files in db/migrations. Put changes into a new migration.'
    return failed(check, `Edited after being applied: ${edited.join(', ')}`, advice)
  }
  if (!pending.length) return ok(check, `${applied} applied, none pending`)
  const found = `${pending.length} pending: ${pending.join(', ')}`
  if (isRunning) return failed(check, found, 'Restart Kith to apply them.')
  return warning(check, found, 'npm start applies them. Until then the remaining checks are skipped.')
}

/** With the locale C, PostgreSQL takes only Latin letters for letters, so names in other scripts have no trigrams. */
export async function checkSearch(client: Pick<pg.Client, 'query'>): Promise<Finding> {
  const check = 'Search'
  const { rows } = await client.query<{ locale: string; knows_letters: boolean }>(
    `select datctype as locale, cardinality(show_trgm('Москва 北京大学')) > 0 as knows_letters
      from pg_database where datname = current_database()`,
  )
  const { locale, knows_letters } = rows[0]!
  if (knows_letters) return ok(check, `Finds names in every script (locale ${locale})`)
  const advice = `Create a database with LC_CTYPE 'C.UTF-8' and move to it with npm run backup and npm run restore.`
  return warning(check, `Names in non-Latin scripts will not be found, because the locale is ${locale}`, advice)
}

/** SECRET_KEY or the key file, which the doctor never creates. */
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
    'Copy secret.key from the DATA_DIR of the previous installation, or set SECRET_KEY. If the key is lost, start once with FORGET_SECRETS=1.'
  if (!secret) {
    return known ? failed(check, `${file} is missing`, lost) : ok(check, 'None yet; npm start creates it')
  }
  if (known && createVault(secret).fingerprint !== known) {
    return failed(check, 'It is not the key that encrypted the secrets in this database', lost)
  }
  if (!file) return ok(check, 'SECRET_KEY matches the database')
  const mode = statSync(file).mode & 0o777
  if (!(mode & 0o077)) return ok(check, `${file} matches the database`)
  return warning(check, `Other users can read ${file} (${mode.toString(8)})`, `Run chmod 600 ${file}`)
}
