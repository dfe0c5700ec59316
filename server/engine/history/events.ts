// Lists changes to records one by one, as events, together with those of the inbox. Changes are read from the history, so
// nothing else is stored for them.

import type { Parsed } from '../../../contract/operation.ts'
import { isInboxEvent, type RecordEventType, type recordEvents } from '../../../contract/record-events.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { readCursor, writeCursor } from '../../kernel/cursor.ts'
import { firstIdAt } from '../../kernel/first-id.ts'
import type { Params } from '../../kernel/statement.ts'
import { dayMs } from '../../platform/times.ts'
import { findObject } from '../rights/rights.ts'
import { type Schema, schemaOf } from '../schema/schema.ts'
import { eventTypesOf } from '../subscriptions/event-types.ts'
import { payloadOf } from './event-payload.ts'
import { type EventRow, readEventRows } from './event-rows.ts'
import { inboxObject, inboxPayloadOf, readInboxEvents } from './read-inbox-events.ts'

export const keptMs = 30 * dayMs

type EventsInput = Parsed<typeof recordEvents.listEvents>

export async function listEvents(context: Context, asked: EventsInput, baseUrl: URL) {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const isInboxOnly = asked.object === inboxObject && !schema.objects.has(inboxObject)
  if (asked.object && !isInboxOnly) findObject(schema, actor, asked.object)
  const { limit } = asked
  const start = asked.cursor ? readCursor(asked.cursor, parseCursor) : undefined
  // One more to know whether there is another page, and one that the last page may have listed completely.
  const window = { context, asked, start, limit: limit + 2 }
  const reader = { actor, schema, baseUrl }
  const all = [
    ...(isInboxOnly ? [] : await recordEventsIn(window, schema)).map(({ row, type }) => ({
      id: row.change_set_id,
      position: row.position,
      payload: () => payloadOf(reader, row, type),
    })),
    ...(await inboxEventsIn(window)).map((event) => ({
      id: event.id,
      position: 0,
      payload: () => inboxPayloadOf(reader, event),
    })),
  ].sort(newestFirst)
  const events = start ? all.slice(all.filter((place) => isAt(start, place)).slice(0, start.seen).length) : all
  const page = events.slice(0, limit)
  return {
    items: page.map(({ payload }) => payload()),
    next_cursor: events.length > limit ? cursorOf(page, start) : null,
  }
}

/** IDs begin with their time, those of change sets as those of other events. */
const newestFirst = (a: EventPosition, b: EventPosition) =>
  a.id === b.id ? b.position - a.position : a.id < b.id ? 1 : -1

type Window = { context: Context; asked: EventsInput; start: Cursor | undefined; limit: number }

async function recordEventsIn({ context, asked, start, limit }: Window, schema: Schema): Promise<Event[]> {
  const { object, record_id, type } = asked
  if (type && isInboxEvent(type)) return []
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
    limit,
  })
  return rows.flatMap((row) => eventsOf(schema, row, type))
}

async function inboxEventsIn({ context, asked, start, limit }: Window) {
  const { object, record_id, type } = asked
  if ((type && !isInboxEvent(type)) || (object && object !== inboxObject)) return []
  return readInboxEvents(context.db, actorOf(context), {
    where: (params) => [
      ...inboxSince(context, asked.since, params),
      record_id && `e.conversation_id = ${params.add(record_id, 'uuid')}`,
      type && `e.type = ${params.add(type, 'text')}`,
      start && `e.id <= ${params.add(start.id, 'uuid')}`,
    ],
    order: 'desc',
    limit,
  })
}

/** Also limits the history to what is kept as events. */
export function since(context: Context, time: string | undefined, params: Params) {
  const from = startOf(context, time)
  return [`c.change_set_id >= ${params.add(firstIdAt(from), 'uuid')}`, `s.at >= ${params.add(from, 'timestamptz')}`]
}

/** The same for events of the inbox. */
export function inboxSince(context: Context, time: string | undefined, params: Params) {
  const from = startOf(context, time)
  return [`e.id >= ${params.add(firstIdAt(from), 'uuid')}`, `e.at >= ${params.add(from, 'timestamptz')}`]
}

function startOf({ now }: Context, time: string | undefined) {
  const oldest = new Date(now.getTime() - keptMs)
  return time && new Date(time) > oldest ? new Date(time) : oldest
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

type EventPosition = { id: string; position: number }
/** `seen`: how many events of the change at the cursor the caller has. */
type Cursor = EventPosition & { seen: number }

const isAt = ({ id, position }: EventPosition, place: EventPosition) => place.id === id && place.position === position

function cursorOf(page: EventPosition[], start: Cursor | undefined) {
  const last = page.at(-1)!
  const earlier = start && isAt(start, last) ? start.seen : 0
  const seen = earlier + page.filter((place) => isAt(last, place)).length
  return writeCursor(`${last.id} ${last.position} ${seen}`)
}

function parseCursor(text: string): Cursor | undefined {
  const [, id, position, seen] = /^([0-9a-f-]{36}) (\d{1,9}) (\d)$/.exec(text) ?? []
  return id ? { id, position: Number(position), seen: Number(seen) } : undefined
}
