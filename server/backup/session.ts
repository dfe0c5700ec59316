// A connection for a backup or restore, with settings that give the same text for the same rows on every server.
import pg from 'pg'
import { refuseOldServer } from '../platform/migrate.ts'
import { unreachable } from '../platform/open-database.ts'

const settings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  // Fail instead of silently skipping rows that a policy hides.
  row_security: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0', // PostgreSQL 17 and later
}

export type Session = Awaited<ReturnType<typeof openSession>>

/** When `signal` aborts, closes the connection, which rolls back its transaction. */
export async function openSession(connection: pg.ClientConfig, name: string, signal?: AbortSignal) {
  signal?.throwIfAborted()
  const client = new pg.Client({ ...connection, application_name: name })
  client.on('error', () => {}) // The running query reports the error.
  await client.connect().catch((error) => {
    throw connection.connectionString ? unreachable(connection.connectionString, error) : error
  })
  const cut = () => void client.end()
  signal?.addEventListener('abort', cut)
  /** From here on the work runs to its end, even if it is asked to stop. */
  const ignoreAbort = () => {
    signal?.throwIfAborted()
    signal?.removeEventListener('abort', cut)
  }
  const close = async () => {
    signal?.removeEventListener('abort', cut)
    await client.end()
  }
  try {
    await refuseOldServer(client)
    await client.query(
      'select set_config(s.name, given.value, false) from pg_settings s join json_each_text($1) given on given.key = s.name',
      [JSON.stringify(settings)],
    )
    const { rows } = await client.query<{ schema: string }>('select current_schema() as schema')
    return { client, schema: rows[0]!.schema, ignoreAbort, close }
  } catch (error) {
    await close()
    throw error
  }
}
