import type pg from 'pg'
import { type Config, StartError } from './config.ts'
import {
  hasEmbeddedPostgres,
  joinEmbeddedPostgres,
  runsEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'

/** `owner` is the same as `connection` where one role does everything. */
export type Database = { connection: pg.ClientConfig; owner: pg.ClientConfig; stop(): Promise<void> }
type Settings = Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseOwnerUrl'>>

/** The database of DATABASE_URL, or our own under DATA_DIR. */
export async function openDatabase(settings: Settings, say: (text: string) => void): Promise<Database> {
  return given(settings) ?? startEmbeddedPostgres(settings.dataDir, say)
}

/** The same for a process that helps a running Kith. */
export async function joinDatabase(settings: Settings): Promise<Database> {
  return given(settings) ?? joinEmbeddedPostgres(settings.dataDir)
}

function given({ databaseUrl, databaseOwnerUrl }: Settings): Database | undefined {
  if (!databaseUrl) return
  const connection = { connectionString: databaseUrl }
  const owner = databaseOwnerUrl ? { connectionString: databaseOwnerUrl } : connection
  return { connection, owner, stop: async () => {} }
}

/** The same for a while, whether Kith runs or not; it is left as it was found. */
export async function borrowDatabase(settings: Settings, say: (text: string) => void): Promise<Database> {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl || runsEmbeddedPostgres(dataDir)) return joinDatabase(settings)
  if (hasEmbeddedPostgres(dataDir)) return startEmbeddedPostgres(dataDir, say)
  throw new StartError(`There is no database in ${dataDir}. Check DATA_DIR, or set DATABASE_URL.`)
}

/** Says what to fix when the database of DATABASE_URL cannot be reached; the address is shown without its password. */
export function unreachable(databaseUrl: string, error: Error, settings = 'DATABASE_URL') {
  const address = databaseUrl.replace(/^\w+:\/\/([^/]*@)?/, '').replace(/\?.*$/, '')
  return new StartError(
    `The database at ${address} cannot be used: ${error.message}\nCheck ${settings} and that the server runs.`,
  )
}
