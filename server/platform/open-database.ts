import type pg from 'pg'
import { type Config, StartError } from './config.ts'
import {
  hasEmbeddedPostgres,
  joinEmbeddedPostgres,
  runsEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'

/** `owner` is the same as `connection` if there is only one role. */
export type Database = { connection: pg.ClientConfig; owner: pg.ClientConfig; stop(): Promise<void> }
type Settings = Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseOwnerUrl'>>

/** The database of DATABASE_URL, or the embedded one in DATA_DIR. */
export async function openDatabase(settings: Settings, say: (text: string) => void): Promise<Database> {
  return given(settings) ?? startEmbeddedPostgres(settings.dataDir, say)
}

/** Connects to the database of a running Kith, without starting it. */
export async function joinDatabase(settings: Settings): Promise<Database> {
  return given(settings) ?? joinEmbeddedPostgres(settings.dataDir)
}

function given({ databaseUrl, databaseOwnerUrl }: Settings): Database | undefined {
  if (!databaseUrl) return
  const connection = { connectionString: databaseUrl }
  const owner = databaseOwnerUrl ? { connectionString: databaseOwnerUrl } : connection
  return { connection, owner, stop: async () => {} }
}

/** For a command, whether Kith is running or not. `stop` stops the database only if this started it. */
export async function borrowDatabase(settings: Settings, say: (text: string) => void): Promise<Database> {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl || runsEmbeddedPostgres(dataDir)) return joinDatabase(settings)
  if (hasEmbeddedPostgres(dataDir)) return startEmbeddedPostgres(dataDir, say)
  throw new StartError(`There is no database in ${dataDir}. Check DATA_DIR or set DATABASE_URL.`)
}

/** For a database that cannot be reached. Shows the address without its password. */
export function unreachable(databaseUrl: string, error: Error, settings = 'DATABASE_URL') {
  const address = databaseUrl.replace(/^\w+:\/\/([^/]*@)?/, '').replace(/\?.*$/, '')
  return new StartError(
    `The database at ${address} cannot be used: ${error.message}\nCheck ${settings} and that the database server is running.`,
  )
}
