// How an audit event is hashed. Keep docs/audit-log.md in step: auditors use it to check the hashes themselves.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

/** As text from PostgreSQL, because numbers and times would lose digits in JavaScript. */
export type ChainEvent = {
  id: string
  at: string
  action: string
  actor_id: string | null
  door: string
  api_key_id: string | null
  target_id: string | null
  request_id: string
  ip: string | null
  data: string
}
export type Sealed = { position: number; sealed_at: string; details_hash: Buffer }

export const selectEvents = (db: Db, company_id: string) =>
  db
    .selectFrom('audit_events')
    .where('company_id', '=', company_id)
    .select(['id', 'action', 'actor_id', 'door', 'api_key_id', 'target_id', 'request_id', 'ip'])
    .select([secondsOf(sql.ref('at')).as('at'), sql<string>`data::text`.as('data')])

/** Seconds since 1970, with six digits after the point. */
export const secondsOf = (time: ReturnType<typeof sql>) => sql<string>`extract(epoch from ${time})::text`

/** Without the key, an IP address could be guessed from its hash. */
export const hashDetails = (key: Buffer, { ip, data }: Pick<ChainEvent, 'ip' | 'data'>) =>
  hashOf([key.toString('hex'), ip, data])

export function hashEvent(previous: Buffer, company_id: string, event: ChainEvent, sealed: Sealed) {
  const { id, at, action, actor_id, door, api_key_id, target_id, request_id } = event
  const { position, sealed_at, details_hash } = sealed
  const content = [company_id, position, sealed_at, id, at, action, actor_id, door, api_key_id, target_id, request_id]
  return hashOf([previous.toString('hex'), ...content, details_hash.toString('hex')])
}

const hashOf = (parts: (string | number | null)[]) => hash('sha256', JSON.stringify(parts), 'buffer')
