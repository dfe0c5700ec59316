import { randomInt, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type * as z from 'zod'
import { type ApiKey, mostKeys } from '../../../contract/api-keys.ts'
import type { Actor } from '../../kernel/context.ts'
import { pageFrom, readIdCursor } from '../../kernel/page.ts'
import type { Db } from '../../platform/db.ts'
import { sha256 } from '../../platform/secrets.ts'
import { dayMs } from '../../platform/times.ts'
import { noteSecret } from '../credentials/company-of-secret.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const keyLength = 64

/** About 381 bits. randomInt gives every character the same probability. */
export const newKeyValue = () => Array.from({ length: keyLength }, () => alphabet[randomInt(alphabet.length)]).join('')

export type Owner = Pick<Actor, 'company_id' | 'user_id'>

/** Returns the key's value, which is not stored: the database keeps only its hash. */
export async function insertKey(
  db: Db,
  { company_id, user_id }: Owner,
  name: string,
  { replaces_id, at = new Date() }: { replaces_id?: string; at?: Date } = {},
) {
  const value = newKeyValue()
  const id = randomUUIDv7()
  await noteSecret(db, sha256(value), company_id)
  await db
    .insertInto('api_keys')
    .values({
      id,
      company_id,
      user_id,
      name,
      replaces_id: replaces_id ?? null,
      key_hash: sha256(value),
      prefix: value.slice(0, 4),
      created_at: at,
    })
    .execute()
  return { id, value }
}

/** A user's keys, newest first, with the clients that used them. */
export async function listKeys(db: Db, owner: Owner, now: Date) {
  const { rows } = await keyRows(db, owner, now, { limit: mostKeys })
  return rows.map(({ user_id: _, user_name: __, ...row }) => toApiKey(row))
}

type KeyOwner = { company_id: string; user_id?: string | undefined }
type Page = { limit: number; cursor?: string | undefined }

/** The keys of one user, or of the whole company, newest first. */
export async function keyRows(db: Db, { company_id, user_id }: KeyOwner, now: Date, { limit, cursor }: Page) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
  const { rows } = await sql<Row & { user_id: string; user_name: string }>`
    select k.id, k.name, k.prefix, k.created_at, k.replaces_id, u.*, k.user_id, o.name as user_name
    from api_keys k
    join users o on o.company_id = k.company_id and o.id = k.user_id
    left join lateral (
      select max(last_used_at) as last_used_at,
        (array_agg(client order by last_used_at desc))[1] as last_client,
        (array_agg(last_ip order by last_used_at desc))[1] as last_ip,
        coalesce(sum(calls) filter (where day > (${daysAgo(7)}::timestamptz at time zone 'UTC')::date), 0)::int as calls_7_days,
        coalesce(jsonb_object_agg(client, last_used_at) filter (where last_used_at > ${daysAgo(1)}), '{}') as recent
      from (
        select client, day, calls, last_used_at, last_ip from api_key_uses
        where company_id = ${company_id} and api_key_id = k.id order by last_used_at
      ) uses
    ) u on true
    where k.company_id = ${company_id} and k.deleted_at is null
      ${user_id ? sql`and k.user_id = ${user_id}` : sql``}
      ${cursor ? sql`and k.id < ${readIdCursor(cursor)}` : sql``}
    order by k.id desc limit ${limit + 1}`.execute(db)
  return pageFrom(rows, limit)
}

export type Row = Omit<z.output<typeof ApiKey>, 'created_at' | 'last_used_at' | 'recent_clients'> & {
  created_at: Date
  last_used_at: Date | null
  recent: Record<string, string>
}

export const toApiKey = ({ recent, created_at, last_used_at, ...key }: Row): z.output<typeof ApiKey> => ({
  ...key,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
  recent_clients: Object.entries(recent)
    .map(([name, at]) => ({ name, last_used_at: new Date(at).toISOString() }))
    .sort((a, b) => (a.last_used_at < b.last_used_at ? 1 : -1)),
})
