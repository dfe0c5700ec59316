import type pg from 'pg'
import { type Config, StartError } from './config.ts'
import {
  hasEmbeddedPostgres,
  joinEmbeddedPostgres,
  runsEmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'

export type Database = { connection: pg.ClientConfig; stop(): Promise<void> }
type Settings = Pick<Config, 'databaseUrl' | 'dataDir'>

/** The database of DATABASE_URL, or our own under DATA_DIR. */
export async function openDatabase({ databaseUrl, dataDir }: Settings, say: (text: string) => void): Promise<Database> {
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, stop: async () => {} }
  return startEmbeddedPostgres(dataDir, say)
}

/** The same for a process that helps a running Kith. */
export async function joinDatabase({ databaseUrl, dataDir }: Settings): Promise<Database> {
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, stop: async () => {} }
  return joinEmbeddedPostgres(dataDir)
}

/** The same for a while, whether Kith runs or not; it is left as it was found. */
export async function borrowDatabase(settings: Settings, say: (text: string) => void): Promise<Database> {
  const { databaseUrl, dataDir } = settings
  if (databaseUrl || runsEmbeddedPostgres(dataDir)) return joinDatabase(settings)
  if (hasEmbeddedPostgres(dataDir)) return startEmbeddedPostgres(dataDir, say)
  throw new StartError(`There is no database in ${dataDir}. Check DATA_DIR, or set DATABASE_URL.`)
}

/** Says what to mend when the database of DATABASE_URL cannot be reached; the address is shown without its password. */
export function unreachable(databaseUrl: string, error: Error) {
  const address = databaseUrl.replace(/^\w+:\/\/([^/]*@)?/, '').replace(/\?.*$/, '')
  return new StartError(
    `The database at ${address} cannot be used: ${error.message}\nCheck DATABASE_URL and that the server runs.`,
  )
}
