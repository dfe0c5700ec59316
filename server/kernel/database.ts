import type pg from 'pg'
import { type Config, StartError } from './config.ts'
import { joinEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

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

/** Says what to mend when the database of DATABASE_URL cannot be reached; the address is shown without its password. */
export function unreachable(databaseUrl: string, error: Error) {
  const address = databaseUrl.replace(/^\w+:\/\/([^/]*@)?/, '').replace(/\?.*$/, '')
  return new StartError(
    `The database at ${address} cannot be used: ${error.message}\nCheck DATABASE_URL and that the server runs.`,
  )
}
