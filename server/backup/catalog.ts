// Reads tables and rules from the catalog of PostgreSQL, so that tables of later migrations are included automatically.
import pg from 'pg'
import type { Session } from './session.ts'

/** `source`: a subquery with the rows, if not all rows of the table are meant. */
export type Table = { name: string; columns: string[]; source?: string }
export type Sized = Table & { bytes: number }
type SchemaSession = Pick<Session, 'client' | 'schema'>

const quote = pg.escapeIdentifier
export const nameIn = (schema: string, name: string) => `${quote(schema)}.${quote(name)}`
export const sourceOf = (schema: string, { name, source }: Table) => source ?? nameIn(schema, name)
export const listOf = (columns: string[]) => columns.map(quote).join(', ')

/** Tables with their columns, except generated ones. Partitions are read through their parent table. */
export async function tablesIn({ client, schema }: SchemaSession) {
  const { rows } = await client.query<Sized>(
    `select c.relname::text as name,
       pg_table_size(c.oid)::float8 as bytes,
       array(
         select attname::text from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
         order by attnum
       ) as columns
     from pg_class c
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and not exists (
         select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e'
       )
     order by c.relname`,
    [quote(schema)],
  )
  return rows
}

export async function sequencesIn({ client, schema }: SchemaSession) {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = $1::regnamespace and relkind = 'S' order by 1`,
    [quote(schema)],
  )
  const sequences = []
  for (const { name } of rows) {
    const text = `select last_value::text as last_value, is_called from ${nameIn(schema, name)}`
    const { rows } = await client.query<{ last_value: string; is_called: boolean }>(text)
    sequences.push({ name, ...rows[0]! })
  }
  return sequences
}

/** Statements that drop all indexes and foreign keys, and statements that create them again. */
export async function rulesIn({ client, schema }: SchemaSession) {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('drop index %I.%I', $2::text, c.relname) as drop, pg_get_indexdef(c.oid) as add
     from pg_class c
     where c.relkind in ('i', 'I') and not c.relispartition and c.relnamespace = $1::regnamespace
       and not exists (select from pg_constraint where conindid = c.oid)
     union all
     select format('alter table %I.%I drop constraint %I', $2::text, c.relname, k.conname),
       format('alter table %I.%I add constraint %I %s', $2::text, c.relname, k.conname, pg_get_constraintdef(k.oid))
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = $1::regnamespace`,
    [quote(schema), schema],
  )
  return rows
}

/** Statements that drop everything in one schema that exists under the same name in another. */
export async function dropsOfTwins({ client, schema }: SchemaSession, twin: string) {
  const { rows } = await client.query<{ drop: string }>(
    // Tables first, because dropping them also drops their sequences and views.
    `select format('drop %s if exists %I.%s cascade', kind, $2::text, name) as drop
     from (
       select case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind,
         quote_ident(relname) as name
       from pg_class
       where relnamespace = $1::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S') and not relispartition
       union all
       select 'routine', format('%I(%s)', proname, pg_get_function_identity_arguments(oid))
       from pg_proc where pronamespace = $1::regnamespace
       union all
       select 'type', quote_ident(typname)
       from pg_type t left join pg_class c on c.oid = t.typrelid
       where typnamespace = $1::regnamespace and (typtype in ('e', 'd', 'r') or c.relkind = 'c')
     ) made
     order by kind <> 'table'`,
    [quote(twin), schema],
  )
  return rows.map((row) => row.drop)
}
