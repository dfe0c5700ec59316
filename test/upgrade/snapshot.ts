// A database as text: its schema with owners and rights, and all of its rows.
import type { Old } from './released.ts'
import { ask } from './released.ts'

/** What differs between two upgrades that are both right: when it was, and the random part of a sealed secret. */
const volatile = ['applied_at', 'password', 'totp_secret']
/** Sealed every five minutes, which may be before or after this. */
const sealed = ['position', 'sealed_at', 'details_key', 'details_hash', 'hash']
/** A worker retries what waited, after random times. */
const workedOn: Record<string, string[]> = {
  audit_events: sealed,
  due_work: ['due_at', 'touched'],
  messages: ['leased_by'],
  webhook_deliveries: ['log', 'next_attempt_at', 'last_ms'],
}
/** These are added by an upgrade, with random ids. */
const newEachTime = new Set(['fields', 'objects', 'pipelines', 'stage_changes', 'stages', 'views'])

const ignoredIn = (table: string) => [
  ...volatile,
  ...(newEachTime.has(table) ? ['id', 'pipeline_id'] : []),
  ...(workedOn[table] ?? []),
]

export async function snapshot({ superuser }: Old) {
  const lines = async (text: string) => (await ask(superuser, text)).rows.map(({ line }) => line as string)
  const tables = await lines(
    `select relname as line from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'audit_chains' order by 1`,
  )
  const rows = await Promise.all(
    tables.map(async (table) => [
      table,
      await lines(`select (to_jsonb(t) - '{${ignoredIn(table)}}'::text[])::text as line from ${table} t order by 1`),
    ]),
  )
  return { schema: await lines(schema), rows: Object.fromEntries(rows) as Record<string, string[]> }
}

const schema = `
  select format('%s %s: %s %s %s', c.relname, a.attname, format_type(atttypid, atttypmod),
      case when attnotnull then 'not null' end, pg_get_expr(adbin, adrelid)) as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
  union all select format('%s is %s''s: %s', relname, relowner::regrole, relacl) from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'S')
  union all select pg_get_indexdef(indexrelid) from pg_index join pg_class c on c.oid = indexrelid
    where relnamespace = 'public'::regnamespace and indisvalid
  union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = 'public'::regnamespace
  union all select format('%s is %s''s: %s', oid::regprocedure, proowner::regrole, prosrc) from pg_proc
    where pronamespace = 'public'::regnamespace
  order by 1`
