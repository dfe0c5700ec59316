// A connection for one long piece of work, under settings that make the same rows the same text everywhere.
import pg from 'pg'
import { unreachable } from '../platform/database.ts'
import { refuseOldServer } from '../platform/migrate.ts'

const settings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  // Rows that a policy would hide must fail the work instead.
  row_security: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0', // PostgreSQL 17 and newer
}

export type Session = Awaited<ReturnType<typeof openSession>>

/** Asked to stop, the connection is cut and with it whatever it had begun. */
export async function openSession(connection: pg.ClientConfig, name: string, signal?: AbortSignal) {
  signal?.throwIfAborted()
  const client = new pg.Client({ ...connection, application_name: name })
  client.on('error', () => {}) // The query that was lost tells.
  await client.connect().catch((error) => {
    throw connection.connectionString ? unreachable(connection.connectionString, error) : error
  })
  const cut = () => void client.end()
  signal?.addEventListener('abort', cut)
  const finishWhatever = () => {
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
    return { client, schema: rows[0]!.schema, finishWhatever, close }
  } catch (error) {
    await close()
    throw error
  }
}
