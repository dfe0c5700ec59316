import { sql } from 'kysely'
import type { audit } from '../../contract/audit.ts'
import type { Here } from '../../contract/filter/moments.ts'
import { localDay } from '../../contract/filter/zones.ts'
import type { Parsed } from '../../contract/operation.ts'
import { startOf } from '../../contract/shared/point-in-time.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { newestFirst } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'
import { inTable, toCsv } from '../platform/csv.ts'
import { verifyAuditLog } from './verify.ts'

export const auditOperations: Handlers<typeof audit> = {
  async listAuditEvents(context, { limit, cursor, ...filter }) {
    const rows = matching(context, filter, await hereOf(context))
    const { items, next_cursor } = await newestFirst(rows, 'e.id', { limit, cursor })
    return { items: items.map((row) => ({ ...row, at: row.at.toISOString() })) as never, next_cursor }
  },

  async exportAuditLog(context, filter) {
    context.audit('audit.exported', { data: { ...filter } })
    const here = await hereOf(context)
    const day = localDay(context.now.getTime(), here.timeZone)
    return { name: `audit-log-${day}.csv`, type: 'text/csv; charset=utf-8', content: table(context, filter, here) }
  },

  verifyAuditLog: {
    isHeavy: () => true,
    handle: (context) => verifyAuditLog(context.db, actorOf(context).company_id),
  },
}

async function hereOf({ db, now, actor }: Context): Promise<Here> {
  const company = db.selectFrom('companies').select(['time_zone', 'first_weekday']).where('id', '=', actor!.company_id)
  const { time_zone, first_weekday } = await company.executeTakeFirstOrThrow()
  return { now, timeZone: actor!.time_zone ?? time_zone, firstWeekday: first_weekday as Here['firstWeekday'] }
}

/** Removed users keep their name here. */
const targetName = (company_id: string) => sql<string | null>`coalesce(
  (select t.name from users t where t.company_id = ${company_id} and t.id = e.target_id),
  (select t.name from roles t where t.company_id = ${company_id} and t.id = e.target_id),
  (select t.name from api_keys t where t.company_id = ${company_id} and t.id = e.target_id))`

type Filter = Parsed<typeof audit.exportAuditLog>

function matching(context: Context, { action, actor_id, target_id, request_id, since, until }: Filter, here: Here) {
  let rows = context.db
    .selectFrom('audit_events as e')
    .leftJoin('users as u', (join) => join.onRef('u.company_id', '=', 'e.company_id').onRef('u.id', '=', 'e.actor_id'))
    .select(['e.id', 'e.at', 'e.action', 'e.actor_id', 'u.name as actor_name', 'e.door as via', 'e.door'])
    .select([
      'e.api_key_id',
      'e.target_id',
      'e.ip',
      'e.request_id',
      'e.data',
      targetName(actorOf(context).company_id).as('target_name'),
    ])
    .where('e.company_id', '=', actorOf(context).company_id)
  if (action) rows = rows.where('e.action', '=', action)
  if (actor_id) rows = rows.where('e.actor_id', '=', actor_id)
  if (target_id) rows = rows.where('e.target_id', '=', target_id)
  if (request_id) rows = rows.where('e.request_id', '=', request_id)
  if (since) rows = rows.where('e.at', '>=', new Date(startOf(since, here)))
  if (until) rows = rows.where('e.at', '<', new Date(startOf(until, here)))
  return rows
}

const columns = [
  'at',
  'action',
  'actor_name',
  'actor_id',
  'door',
  'api_key_id',
  'target_name',
  'target_id',
  'ip',
  'request_id',
  'data',
] as const
const pageSize = 1000

/** Reads page by page, so that memory use does not grow with the size of the log. */
async function* table(context: Context, filter: Filter, here: Here) {
  yield Buffer.from(toCsv([[...columns]]))
  for (let cursor: string | undefined; ; ) {
    const page = await newestFirst(matching(context, filter, here), 'e.id', { limit: pageSize, cursor })
    const rows = page.items.map((row) => columns.map((column) => inTable(row[column])))
    yield Buffer.from(toCsv(rows))
    if (!page.next_cursor) return
    cursor = page.next_cursor
  }
}
