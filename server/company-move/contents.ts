// What an export of a company contains. A test compares it with the database, so that a new column is decided on.
import { unusablePassword } from '../accounts/credentials/passwords.ts'
import { listOf, nameIn, type Table } from '../backup/catalog.ts'
import type { Session } from '../backup/session.ts'
import { companyColumn, distributed } from '../distribution/tables.ts'

/** Tables whose rows stay, and why. */
export const staying: Record<string, string> = {
  account_links: 'Links give access to an account. An Admin creates new ones.',
  company_by_secret: 'Derived from API keys and sessions.',
  conversation_guests: 'Who is typing now.',
  conversation_visits: 'Who is reading now.',
  due_work: 'Derived. The import creates it.',
  idempotency_keys: 'For retries within a day, with keys that stay.',
  installation: 'About the installation.',
  migrations: 'In the header.',
  outbox: 'Within a second, its events are handled where they happened.',
  passkey_challenges: 'For sign-ins in progress.',
  passkeys: 'They work only with the domain where they were created.',
  recovery_codes: 'Secret.',
  sessions: 'Secret.',
  sign_in_devices: 'Secret.',
  sign_in_emails: 'In the header.',
  sign_in_failures: 'About the installation.',
  sign_in_steps: 'For sign-ins in progress.',
  sign_up_links: 'About the installation.',
}

export const moving = [...distributed, 'pictures'].filter((name) => !(name in staying))

const lostSecret = 'Its signing secret did not move with the company. Rotate it, then resume.'
const lostCredentials = 'Its credentials did not move with the company. Enter them again.'
const isCutOff = `secrets is not null and kind <> 'chat' and state not in ('paused', 'disconnected')`
const unleased = ['channels', 'jobs', 'lead_routings', 'messages', 'webhooks'].flatMap((table) => [
  [`${table}.leased_by`, 'null'],
  [`${table}.leased_until`, 'null'],
])

/** Columns that move with another value: an expression over the row. Exporting the result again gives the same. */
export const replaced: Record<string, string> = {
  ...Object.fromEntries(unleased),
  'api_keys.deleted_at': 'coalesce(deleted_at, now())',
  'api_keys.key_hash': `sha256(convert_to('moved ' || id, 'UTF8'))`,
  'channels.renewing_until': 'null',
  'channels.secrets': 'null',
  'channels.state': `case when ${isCutOff} then 'failing' else state end`,
  'channels.state_reason': `case when ${isCutOff} then '${lostCredentials}' else state_reason end`,
  'lead_destinations.secrets': 'null',
  'mail_settings.password': 'null',
  'subscriptions.is_active': `is_active and kind <> 'webhook'`,
  'users.password_hash': `case when password_hash is not null then '${unusablePassword}' end`,
  'users.totp_last_step': 'null',
  'users.totp_on_since': 'null',
  'users.totp_secret': 'null',
  'webhooks.disabled_at': 'case when secret is null then disabled_at else coalesce(disabled_at, now()) end',
  'webhooks.disabled_reason': `case when secret is null then disabled_reason else '${lostSecret}' end`,
  'webhooks.header_names': `'{}'::text[]`,
  'webhooks.headers': 'null',
  'webhooks.old_secret': 'null',
  'webhooks.old_secret_expires_at': 'null',
  'webhooks.secret': 'null',
}

/** Columns that look like a secret and are none. */
export const harmless = [
  'audit_chains.removed_hash',
  'audit_chains.sealed_at',
  'audit_chains.sealed_hash',
  'audit_chains.sealed_through',
  'audit_events.details_hash',
  'audit_events.details_key',
  'audit_events.hash',
  'audit_events.sealed_at',
  'channel_faults.source',
  'files.sha256',
  'gateway_posts.digest',
  'lead_submissions.token_id',
  'pictures.bytes',
]

/** The rows of one company, as they are stored or as they move. */
export function rowsOf<T extends Table>(schema: string, table: T, id: string, as: 'stored' | 'moved'): T {
  const { name, columns } = table
  const list = columns.map((column) => {
    const value = as === 'moved' && replaced[`${name}.${column}`]
    return value ? `${value} as ${listOf([column])}` : listOf([column])
  })
  const source = `(select ${list.join(', ')} from ${nameIn(schema, name)} where ${companyColumn(name)} = '${id}') t`
  return { ...table, source }
}

/** Tables before those that refer to them. */
export async function inOrder<T extends { name: string }>({ client, schema }: Session, tables: T[]): Promise<T[]> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `select c.relname::text as from, f.relname::text as to
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
     where k.contype = 'f' and c.relnamespace = quote_ident($1)::regnamespace and c.oid <> f.oid`,
    [schema],
  )
  const ordered: T[] = []
  for (let rest = tables; rest.length; ) {
    const waiting = new Set(rest.map(({ name }) => name))
    const isReady = ({ name }: T) => !rows.some(({ from, to }) => from === name && waiting.has(to))
    const ready = rest.filter(isReady)
    if (!ready.length) throw new Error(`These tables refer to each other in a circle: ${[...waiting].join(', ')}`)
    ordered.push(...ready)
    rest = rest.filter((table) => !isReady(table))
  }
  return ordered
}
