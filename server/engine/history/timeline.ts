// What happened with a record: notes, activities, completed tasks and changes in one list, newest first. Notes,
// activities and tasks count at their `last_activity_at` (built-in/activities/last-activity.ts); open tasks have none.

import { sql } from 'kysely'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { own } from '../../../contract/shared/own.ts'
import type { timeline } from '../../../contract/timeline.ts'
import { actorOf, type Context, may } from '../../kernel/context.ts'
import { readCursor, writeCursor } from '../../kernel/cursor.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Entry, wordsOf } from '../built-in/leads/trace.ts'
import { objectsIn, rowById } from '../names/find-titles.ts'
import { idsWithMerged } from '../names/merged.ts'
import { recordsById } from '../read/by-id.ts'
import { withTitles } from '../read/fields.ts'
import { readableAmong } from '../rights/readable-among.ts'
import { findObject, seenBy } from '../rights/rights.ts'
import { type ObjectSchema, type Schema, schemaOf } from '../schema/schema.ts'
import { builtInValue } from '../values/built-in-values.ts'
import { isoTime, type Stored, shown, storedColumns, untrustedFields } from '../values/from-row.ts'
import { noSuchRecord } from '../write/lock.ts'
import { listChanges } from './list.ts'
import { type Mark, messagesAbout, messageTexts } from './timeline-messages.ts'

type TimelineInput = Parsed<typeof timeline.getTimeline>
type Timeline = Output<typeof timeline.getTimeline>
type Item = Timeline['items'][number]
type Step = Timeline['next_steps'][number]

const objectOfKind = { note: 'notes', activity: 'activities', task: 'tasks' } as const
const kinds = Object.keys(objectOfKind) as (keyof typeof objectOfKind)[]
const mostRelated = 500
const mostSteps = 20

export async function getTimeline(context: Context, asked: TimelineInput): Promise<Timeline> {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const object = findObject(schema, actor, asked.object)
  if (!(await recordsById(context, object, [asked.id])).has(asked.id))
    throw await noSuchRecord({ context, schema, object }, 'id', asked.id)
  const cursor = asked.cursor === undefined ? undefined : readCursor(asked.cursor, parseCursor)
  const sources = kinds
    .filter((kind) => asked.kinds?.includes(kind) ?? true)
    .flatMap((kind) => schema.builtIn.get(objectOfKind[kind]) ?? [])
    .filter(({ archived_at }) => !archived_at)
  const about = [asked.id, ...(asked.related ? await relatedTo(context, schema, asked.id) : [])]
  const source: Source = { context, schema, sources, about, now: cursor?.now ?? context.now.toISOString() }
  const withChanges = asked.kinds?.includes('change') ?? true
  const withMessages = asked.kinds?.includes('message') ?? true
  const withSending =
    (asked.kinds?.includes('sending') ?? true) && object.built_in_key === 'leads' && may(actor, 'lead_sending.manage')
  const found = [
    ...(await past(source, cursor?.record, asked.limit + 1)),
    ...(withChanges ? await changes(context, asked, cursor?.change) : []),
    ...(withSending ? await sendings(context, asked, cursor?.sending) : []),
    ...(withMessages ? await messagesAbout(context, about, cursor?.message, asked.limit + 1) : []),
  ].sort((a, b) => (a.item.at < b.item.at ? 1 : a.item.at > b.item.at ? -1 : 0))
  const page = found.slice(0, asked.limit)
  return {
    next_steps: cursor ? [] : await nextSteps(source),
    items: page.map(({ item }) => item),
    next_cursor: found.length > page.length ? cursorAfter(page, cursor, source.now) : null,
    untrusted_fields: [
      ...new Set([...sources.flatMap((one) => untrustedFields(one)), ...(withMessages ? messageTexts : [])]),
    ],
  }
}

type Source = { context: Context; schema: Schema; sources: ObjectSchema[]; about: string[]; now: string }
/** With its place in its own list, where the next page continues. */
type Found = { item: Item; mark: Omit<Cursor, 'now'> }

async function past(source: Source, mark: Cursor['record'], limit: number): Promise<Found[]> {
  const rows = await aboutThem(source, (params) => {
    const before = mark
      ? `(r.last_activity_at, r.id) < (${params.add(mark[0], 'timestamptz')}, ${params.add(mark[1], 'uuid')})`
      : `r.last_activity_at <= ${params.add(source.now, 'timestamptz')}`
    return `and ${before} order by r.last_activity_at desc, r.id desc limit ${limit}`
  })
  const items = await itemsOf(source, rows)
  return items.map((item, i) => ({
    item: { ...item, at: isoTime(rows[i]!.last_activity_at!) },
    mark: { record: [rows[i]!.last_activity_at!, rows[i]!.id] },
  }))
}

async function nextSteps(source: Source): Promise<Step[]> {
  const { schema, sources } = source
  const tasks = sources.find((one) => one === schema.builtIn.get('tasks'))
  const keyOf = (key: string) => tasks?.builtIn.get(key)?.key ?? ''
  const rows = await aboutThem(source, (params) => {
    const due = `(r.values ->> ${params.add(keyOf('due_at'), 'text')})::timestamptz`
    const isOpen = `r.object_id = ${params.add(tasks?.id ?? null, 'uuid')} and r.last_activity_at is null
      and coalesce(r.values ->> ${params.add(keyOf('status'), 'text')}, '') not in ('done', 'cancelled')`
    return `and ((${isOpen}) or r.last_activity_at > ${params.add(source.now, 'timestamptz')})
      order by coalesce(r.last_activity_at, ${due}) nulls last, r.id limit ${mostSteps}`
  })
  const items = await itemsOf(source, rows)
  return items.flatMap(({ kind, ...item }, i) => {
    if (kind === 'note') return []
    const { last_activity_at, values } = rows[i]!
    const at = last_activity_at ? isoTime(last_activity_at) : builtInValue(tasks!, values, 'due_at')
    return { kind, ...item, at: (at as string | undefined) ?? null }
  })
}

/** Notes, activities and tasks that link to one of these records, each once, as far as the caller may read them. */
async function aboutThem({ context, sources, about }: Source, rest: (params: Params) => string) {
  const actor = actorOf(context)
  const fields = sources.flatMap((one) => one.fields.filter(({ type }) => type === 'relation').map(({ id }) => id))
  if (!fields.length) return []
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  return run<Stored>(
    context.db,
    `select ${storedColumns} from (select distinct from_id from links where company_id = ${company}
        and to_id = any(${params.add(about, 'uuid[]')}) and field_id = any(${params.add(fields, 'uuid[]')})) l
      cross join lateral (${rowById(company, 'l.from_id')}) r
      where r.deleted_at is null and ${readableAmong(actor, sources, 'r', params)} ${rest(params)}`,
    params,
  )
}

/** Records of other objects that link to this one, the newest ones. */
async function relatedTo(context: Context, schema: Schema, id: string) {
  const actor = actorOf(context)
  const apart = new Set<string | null>(Object.values(objectOfKind))
  const objects = objectsIn(schema).filter(({ built_in_key }) => !apart.has(built_in_key))
  const fields = objects.flatMap((one) => one.fields.filter(({ type }) => type === 'relation').map(({ id }) => id))
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const rows = await run<{ id: string }>(
    context.db,
    `select r.id from (select distinct from_id from links where company_id = ${company}
        and to_id = ${params.add(id, 'uuid')} and field_id = any(${params.add(fields, 'uuid[]')})
        order by from_id desc limit ${mostRelated}) l
      cross join lateral (${rowById(company, 'l.from_id')}) r
      where r.deleted_at is null and ${readableAmong(actor, objects, 'r', params)}`,
    params,
  )
  return rows.map((row) => row.id)
}

async function itemsOf({ context, schema, about }: Source, rows: Stored[]) {
  const actor = actorOf(context)
  const [id, ...related] = about
  const isRelated = new Set(related)
  const records = new Map<string, ReturnType<typeof shown>>()
  for (const [object_id, some] of Map.groupBy(rows, (row) => row.object_id)) {
    const object = seenBy(actor, schema.byId.get(object_id)!)
    const shownOnes = some.map((row) => shown(object, row))
    for (const record of await withTitles(context, schema, shownOnes, object.fields)) records.set(record.id, record)
  }
  return rows.map((row) => {
    const object = schema.byId.get(row.object_id)!
    const record = records.get(row.id)!
    const links = linksOf(object, record)
    const via = links.some((one) => one.id === id) ? undefined : links.find((one) => isRelated.has(one.id))
    return {
      kind: kinds.find((kind) => objectOfKind[kind] === object.built_in_key)!,
      object: object.key,
      record,
      through: via?.title === undefined ? null : { object: via.object, id: via.id, title: via.title },
    }
  })
}

type Linked = { id: string; title?: string; object?: string }

const linksOf = ({ fields }: ObjectSchema, record: Record<string, unknown>) =>
  fields
    .filter(({ type }) => type === 'relation')
    .flatMap(({ key, to_objects }) =>
      ([own(record, key) ?? []].flat() as Linked[]).map((one) => ({ ...one, object: one.object ?? to_objects![0]! })),
    )

async function changes(context: Context, { id, limit }: TimelineInput, mark: string | undefined): Promise<Found[]> {
  const { items } = await listChanges(context, {
    record_id: id,
    max_changes: 5,
    limit: limit + 1,
    cursor: mark && writeCursor(mark),
  })
  return items.map((change_set) => ({
    item: { kind: 'change', at: change_set.at, change_set },
    mark: { change: change_set.id },
  }))
}

/** Each time that the lead was passed on. Routes that did not match are left out. */
async function sendings(context: Context, { id, limit }: TimelineInput, mark: string | undefined): Promise<Found[]> {
  const schema = await schemaOf(context.db, actorOf(context))
  const { rows } = await sql<{ id: string; created_at: Date; trace: Entry[] }>`
    select id, created_at, trace from lead_routings where company_id = ${actorOf(context).company_id} and lead_id = any(${idsWithMerged(actorOf(context).company_id, id)})
      and (${mark ?? null}::uuid is null or id < ${mark ?? null}::uuid) order by id desc limit ${limit + 1}`.execute(
    context.db,
  )
  return rows.map(({ id, created_at, trace }) => ({
    item: {
      kind: 'sending',
      at: created_at.toISOString(),
      id,
      lines: trace
        .filter(({ what }) => what !== 'no_match')
        .map((entry) => ({ at: entry.at, text: wordsOf(entry, schema) })),
    },
    mark: { sending: id },
  }))
}

/** Where each list continues. What is planned stays out of the timeline for all pages alike. */
type Cursor = { now: string; record?: Mark; change?: string; sending?: string; message?: Mark }

function cursorAfter(page: Found[], before: Cursor | undefined, now: string) {
  const cursor: Cursor = Object.assign({}, before, ...page.map(({ mark }) => mark), { now })
  return writeCursor(JSON.stringify(cursor))
}

function parseCursor(text: string): Cursor | undefined {
  const cursor = JSON.parse(text) as Cursor
  const isWhole = isTime(cursor.now) && isPlace(cursor.record) && isPlace(cursor.message)
  return isWhole && (!cursor.sending || isId(cursor.sending)) ? cursor : undefined
}

const isTime = (text: unknown) =>
  typeof text === 'string' && /^2\d{3}-\d\d-\d\d[ T]\d\d:/.test(text) && !Number.isNaN(Date.parse(text))
const isPlace = (mark: Mark | undefined) => mark === undefined || (isTime(mark[0]) && isId(mark[1]))
