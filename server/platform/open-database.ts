import type pg from 'pg'
import { type Config, StartError } from './config.ts'
import {
  hasEmbeddedPostgres,
  joinEmbeddedPostgres,
  runsEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'
import { connectionsFor } from './pools.ts'

export type Database = {
  connection: pg.ClientConfig
  /** The same as `connection` if there is only one role. */
  owner: pg.ClientConfig
  /** Through a transaction pooler, for ordinary work. */
  pooled?: pg.ClientConfig
  /** A replica, for heavy reads. */
  reading?: pg.ClientConfig
  stop(): Promise<void>
}
type Settings = Pick<Config, 'databaseUrl' | 'dataDir'> &
  Partial<Pick<Config, 'databaseOwnerUrl' | 'databasePoolUrl' | 'databaseReadUrl' | 'processes'>>
/** For workers, commands, and the processes that replace others during a restart. */
const spare = 60

/** The database of DATABASE_URL, or the embedded one in DATA_DIR. */
export async function openDatabase(settings: Settings, say: (text: string) => void): Promise<Database> {
  const { processes = 1 } = settings
  const forAll = processes > 1 ? [`max_connections=${connectionsFor(processes) + spare}`] : []
  return given(settings) ?? startEmbeddedPostgres(settings.dataDir, say, forAll)
}

/** Connects to the database of a running Kith, without starting it. */
export async function joinDatabase(settings: Settings): Promise<Database> {
  return given(settings) ?? joinEmbeddedPostgres(settings.dataDir)
}

function given(settings: Settings): Database | undefined {
  const { databaseUrl, databaseOwnerUrl, databasePoolUrl, databaseReadUrl } = settings
  if (!databaseUrl) return
  // A pooler needs limits as settings of the role, which what is long (migrations, backups) must not have.
  const unlimited = databasePoolUrl ? { options: '-c statement_timeout=0' } : {}
  const connection = { connectionString: databaseUrl, ...unlimited }
  const owner = databaseOwnerUrl ? { connectionString: databaseOwnerUrl, ...unlimited } : connection
  return {
    connection,
    owner,
    ...(databasePoolUrl && { pooled: { connectionString: databasePoolUrl } }),
    ...(databaseReadUrl && { reading: { connectionString: databaseReadUrl } }),
    stop: async () => {},
  }
}

/** For a command, whether Kith is running or not. `stop` stops the database only if this started it. */
export async function borrowDatabase(settings: Settings, say: (text: string) => void): Promise<Database> {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl || (await runsEmbeddedPostgres(dataDir))) return joinDatabase(settings)
  if (hasEmbeddedPostgres(dataDir)) return startEmbeddedPostgres(dataDir, say)
  throw new StartError(`There is no database in ${dataDir}. Check DATA_DIR or set DATABASE_URL.`)
}

/** For a database that cannot be reached. Shows the address without its password. */
export function unreachable(databaseUrl: string, error: Error, settings = 'DATABASE_URL') {
  const address = databaseUrl.replace(/^\w+:\/\/([^/]*@)?/, '').replace(/\?.*$/, '')
  const isPooler = error.message.includes('unsupported startup parameter')
  const advice = isPooler
    ? 'This is PgBouncer. Set DATABASE_URL to the database itself and DATABASE_POOL_URL to PgBouncer.'
    : `Check ${settings} and that the database server is running.`
  return new StartError(`The database at ${address} cannot be used: ${error.message}\n${advice}`)
}
