// Lists changes to records one by one, as events. They are read from the history, so nothing else is stored.
import type { Parsed } from '../../../contract/operation.ts'
import type { RecordEventType, recordEvents } from '../../../contract/record-events.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { firstIdAt } from '../../kernel/first-id.ts'
import type { Params } from '../../kernel/statement.ts'
import { findObject } from '../rights/rights.ts'
import { type Schema, schemaOf } from '../schema/schema.ts'
import { eventTypesOf } from '../subscriptions/event-types.ts'
import { payloadOf } from './event-payload.ts'
import { type EventRow, readEventRows } from './event-rows.ts'

export const keptMs = 30 * 86_400_000

type Asked = Parsed<typeof recordEvents.listEvents>

export async function listEvents(context: Context, asked: Asked, baseUrl: URL) {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  if (asked.object) findObject(schema, actor, asked.object)
  const { object, record_id, type, limit } = asked
  const start = asked.cursor ? readCursor(asked.cursor) : undefined
  const rows = await readEventRows(context, schema, {
    where: (params) => [
      ...since(context, asked.since, params),
      object && `c.object = ${params.add(object, 'text')}`,
      record_id && `c.record_id = ${params.add(record_id, 'uuid')}`,
      type && firesType(schema, type, params),
      start &&
        `(c.change_set_id, c.position) <= (${params.add(start.id, 'uuid')}, ${params.add(start.position, 'int')})`,
    ],
    order: 'desc',
    // One more to know whether there is another page, and one that the last page may have listed completely.
    limit: limit + 2,
  })
  const all = rows.flatMap((row) => eventsOf(schema, row, type))
  const events = start ? all.slice(all.filter(({ row }) => isAt(start, row)).slice(0, start.seen).length) : all
  const page = events.slice(0, limit)
  const reader = { actor, schema, baseUrl }
  return {
    items: page.map(({ row, type }) => payloadOf(reader, row, type)),
    next_cursor: events.length > limit ? cursorOf(page, start) : null,
  }
}

/** Also limits the history to what is kept as events. */
export function since(context: Context, time: string | undefined, params: Params) {
  const oldest = new Date(context.now.getTime() - keptMs)
  const from = time && new Date(time) > oldest ? new Date(time) : oldest
  return [`c.change_set_id >= ${params.add(firstIdAt(from), 'uuid')}`, `s.at >= ${params.add(from, 'timestamptz')}`]
}

function firesType(schema: Schema, type: RecordEventType, params: Params) {
  const [subject, what] = type.split('.')
  if (subject === 'record') return `c.action = ${params.add(what, 'text')}`
  if (subject === 'lead') return firesLeadType(schema, type, params)
  const deals = schema.builtIn.get('deals')
  const [stage, status] = [deals?.builtIn.get('stage')?.key, deals?.builtIn.get('status')?.key]
  if (!deals || !stage || !status) return 'false'
  const moved = `c.object = ${params.add(deals.key, 'text')} and c.fields ? ${params.add(stage, 'text')}`
  if (type === 'deal.stage_changed') return `${moved} and c.action = 'updated'`
  return `${moved} and c.action in ('created', 'updated')
    and c.fields -> ${params.add(status, 'text')} ->> 'to' = ${params.add(what, 'text')}`
}

function firesLeadType(schema: Schema, type: RecordEventType, params: Params) {
  const leads = schema.builtIn.get('leads')
  const status = leads?.builtIn.get('status')?.key
  if (!leads || !status) return 'false'
  const written = `c.object = ${params.add(leads.key, 'text')} and c.action in ('created', 'updated')`
  if (type === 'lead.submitted') return `${written} and s.principal_kind = 'source'`
  if (type === 'lead.converted')
    return `${written} and c.action = 'updated' and c.fields -> ${params.add(status, 'text')} ->> 'to' = 'converted'`
  const owner = "c.fields -> 'owner' ->> 'to'"
  return `${written} and ${owner} is not null
    and (s.principal_kind = 'source' or ${owner} is distinct from s.actor_id::text)`
}

export const makerOf = ({ actor_id, principal_kind }: EventRow) => ({ user_id: actor_id, principal: principal_kind })

type Event = { row: EventRow; type: RecordEventType }

/** Newest first: what follows from a change comes after it. */
const eventsOf = (schema: Schema, row: EventRow, only: RecordEventType | undefined): Event[] =>
  eventTypesOf(schema.objects.get(row.object)!, row.action, row.fields, makerOf(row))
    .filter((type) => !only || type === only)
    .map((type) => ({ row, type }))
    .reverse()

/** `seen`: how many events of the change at the cursor the caller has. */
type Cursor = { id: string; position: number; seen: number }

const isAt = ({ id, position }: Cursor, row: EventRow) => row.change_set_id === id && row.position === position

function cursorOf(page: Event[], start: Cursor | undefined) {
  const { row } = page.at(-1)!
  const earlier = start && isAt(start, row) ? start.seen : 0
  const seen = earlier + page.filter((event) => event.row === row).length
  return Buffer.from(`${row.change_set_id} ${row.position} ${seen}`).toString('base64url')
}

function readCursor(cursor: string): Cursor {
  const read = /^([0-9a-f-]{36}) (\d{1,9}) (\d)$/.exec(Buffer.from(cursor, 'base64url').toString())
  if (!read)
    throw new AppError('invalid_input', 'This cursor is invalid. Omit it to start from the first page.', {
      errors: [{ path: 'cursor', message: 'Send the next_cursor of the previous page unchanged' }],
    })
  return { id: read[1]!, position: Number(read[2]), seen: Number(read[3]) }
}
