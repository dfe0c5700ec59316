// The time of the last activity of a record: a call, a note, a completed task. Updating it creates no version, history
// or event.
import { own } from '../../../../contract/shared/own.ts'
import { type Actor, actorOf, type Context } from '../../../kernel/context.ts'
import { joining, Params, run, type Statement } from '../../../kernel/statement.ts'
import type { ObjectSchema, Schema } from '../../schema/schema.ts'
import type { Target } from '../../schema/target.ts'
import { builtInValue } from '../../values/built-in-values.ts'
import type { Change } from '../../values/change.ts'
import type { Stored } from '../../values/from-row.ts'
import { isDone } from '../tasks/completion.ts'

/** The objects whose records count as activity. */
const sources = new Set(['activities', 'notes', 'tasks'])
/** The objects whose activity also counts for their organization. */
const members = new Set(['people', 'deals'])

/** The time at which an activity, note or task counts; null if it does not. Other records keep their value. */
export function ownActivity({ context, object }: Target, { before, after }: Change): string | null {
  if (!isAmong(sources, object)) return after.last_activity_at
  if (object.built_in_key === 'notes') return after.created_at
  if (object.built_in_key === 'activities') return String(builtInValue(object, after.values, 'at') ?? after.created_at)
  if (!isDone(object, after.values)) return null
  if (before && isDone(object, before.values)) return before.last_activity_at
  // Tasks of another system were completed long ago.
  return String(builtInValue(object, after.values, 'completed_at') ?? context.now.toISOString())
}

/** Updates the last activity of the records that the changed ones link to. */
export function noteActivity(target: Target, changes: Change[]) {
  const { context, schema, object } = target
  if (isAmong(sources, object)) noteSources(context, schema, object, changes)
  if (isAmong(members, object)) noteMembers(context, object, changes)
}

function noteSources(context: Context, schema: Schema, object: ObjectSchema, changes: Change[]) {
  const raised = new Map<string, string>()
  const lowered = new Set<string>()
  for (const { before, after } of changes) {
    const [was, now] = [activityOf(before, context), activityOf(after, context)]
    const linked = now ? linkedFrom(object, after) : []
    for (const id of linked) if ((raised.get(id) ?? '') < now!) raised.set(id, now!)
    const isEarlier = was !== undefined && (now === undefined || now < was)
    for (const id of was ? linkedFrom(object, before!) : []) if (isEarlier || !linked.includes(id)) lowered.add(id)
  }
  for (const id of lowered) raised.delete(id)
  const actor = actorOf(context)
  if (raised.size) context.afterwards(raise(actor, schema, raised))
  if (lowered.size) context.afterwards(recalculate(actor, schema, [...lowered], context.now))
  const record_ids = [...raised.keys(), ...lowered]
  if (record_ids.length) context.emit('activity.changed', { record_ids, organization_ids: [] })
}

/** The activity of people and deals moves with them to another organization. */
function noteMembers(context: Context, object: ObjectSchema, changes: Change[]) {
  const organization_ids = changes.flatMap(({ before, after }) => {
    if (!after.last_activity_at) return []
    const [from, to] = [before, after].map((row) =>
      row && !row.deleted_at ? linkedFrom(object, row, 'organization') : [],
    )
    return from!.join() === to!.join() ? [] : [...from!, ...to!]
  })
  if (organization_ids.length) context.emit('activity.changed', { record_ids: [], organization_ids })
}

/** Planned activities do not count yet. */
const activityOf = (row: Stored | undefined, { now }: Context) => {
  if (!row?.last_activity_at || row.deleted_at) return undefined
  const at = new Date(row.last_activity_at)
  return at <= now ? at.toISOString() : undefined
}

const linkedFrom = (object: ObjectSchema, { values }: Stored, only?: string) =>
  object.fields
    .filter(({ built_in_key, type }) => type === 'relation' && (!only || built_in_key === only))
    .flatMap(({ key }) => [own(values, key) ?? []].flat() as string[])

const isAmong = (keys: Set<string>, { built_in_key }: ObjectSchema) => built_in_key !== null && keys.has(built_in_key)

const idsOf = (schema: Schema, keys: Set<string>) =>
  [...schema.objects.values()].filter((object) => isAmong(keys, object)).map(({ id }) => id)
const relationsOf = (schema: Schema, keys: Set<string>, only?: string) =>
  [...schema.objects.values()]
    .filter((object) => isAmong(keys, object))
    .flatMap(({ fields }) =>
      fields.filter(({ built_in_key, type }) => type === 'relation' && (!only || built_in_key === only)),
    )
    .map(({ id }) => id)

/** Sorted by id, so that concurrent updates of the same records cannot deadlock. */
const inOrder = (raised: Map<string, string>) => [...raised].sort(([a], [b]) => (a < b ? -1 : 1))

export const raise =
  ({ company_id }: Pick<Actor, 'company_id'>, schema: Schema, raised: Map<string, string>): Statement =>
  (params) => {
    const rows = inOrder(raised).map(([id, last_activity_at]) => ({ company_id, id, last_activity_at }))
    const { from, where } = joining('records', rows, { id: 'uuid' }, params)
    return `update records t set last_activity_at = x.last_activity_at from ${from}
      where ${where} and t.object_id <> all(${params.add(idsOf(schema, sources), 'uuid[]')})
      and (t.last_activity_at is null or t.last_activity_at < x.last_activity_at)`
  }

/** From all activity and conversations linked to each record and, for organizations, from their people and deals. */
export const recalculate =
  ({ company_id }: Pick<Actor, 'company_id'>, schema: Schema, ids: string[], now: Date): Statement =>
  (params) => {
    const company = params.add(company_id, 'uuid')
    const until = params.add(now.toISOString(), 'timestamptz')
    // Looked up one by one, because PostgreSQL might otherwise read all records for each.
    const latestBy = (fields: string[]) => `(select max((select s.last_activity_at from records s
      where s.company_id = ${company} and s.id = l.from_id and s.deleted_at is null and s.last_activity_at <= ${until} offset 0))
      from links l where l.company_id = ${company} and l.to_id = t.id and l.field_id = any(${params.add(fields, 'uuid[]')}))`
    const direct = latestBy(relationsOf(schema, sources))
    const throughMembers = latestBy(relationsOf(schema, members, 'organization'))
    // Private conversations must not show.
    const messages = `(select max(c.last_message_at) from conversation_links k
      join conversations c on c.company_id = ${company} and c.id = k.conversation_id and c.merged_into is null
      join channels h on h.company_id = ${company} and h.id = c.channel_id and (h.owner_id is null or h.is_shared)
      where k.company_id = ${company} and k.record_id = t.id and c.last_message_at <= ${until})`
    return `update records t set last_activity_at = greatest(${direct}, ${throughMembers}, ${messages})
      where t.company_id = ${company} and t.id = any(${params.add(ids.toSorted(), 'uuid[]')})
      and t.object_id <> all(${params.add(idsOf(schema, sources), 'uuid[]')})`
  }

/** The organizations that these people and deals belong to. */
export async function organizationsOf(db: Context['db'], company_id: string, schema: Schema, record_ids: string[]) {
  if (!record_ids.length) return []
  const params = new Params()
  const rows = await run<{ to_id: string }>(
    db,
    `select distinct to_id from links where company_id = ${params.add(company_id, 'uuid')}
      and from_id = any(${params.add(record_ids, 'uuid[]')})
      and field_id = any(${params.add(relationsOf(schema, members, 'organization'), 'uuid[]')})`,
    params,
  )
  return rows.map(({ to_id }) => to_id)
}
