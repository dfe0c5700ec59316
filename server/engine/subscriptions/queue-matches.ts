// Compares changes with the company's subscriptions and queues what matches, in the transaction of the changes.
import { randomUUIDv7 } from 'node:crypto'
import { type Answer, evaluate } from '../../../contract/filter/index.ts'
import type { RecordEventType } from '../../../contract/record-events.ts'
import { own } from '../../../contract/shared/own.ts'
import { actorOf, type Context, type Patch } from '../../kernel/context.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import type { Action } from '../schema/subscription.ts'
import type { Stored } from '../values/from-row.ts'
import { eventTypesOf, type Maker } from './event-types.ts'
import { comparableValues, type Watchers, type Watching, watchersOf } from './filters.ts'

/** `fields`: those that differ. */
export type RecordChange = { action: Action; before: Stored | undefined; after: Stored; fields: Patch }
const makerOf = ({ actor, principal }: Context): Maker => ({
  user_id: actor?.user_id || null,
  principal: principal?.kind ?? null,
})
type Target = { context: Context; schema: Schema; object: ObjectSchema }

export function queueMatches({ context, schema, object }: Target, changes: RecordChange[]) {
  if (!schema.subscriptions.length) return
  const watchers = watchersOf(schema, object)
  const isBulk = changes.length > 1
  const wanted = {
    ...watchers,
    all: watchers.all.filter((watching) => concernsMaker(context, watching) && !(isBulk && watching.skip_bulk)),
  }
  if (!wanted.all.length) return
  const now = context.now.toISOString()
  const { company_id, user_id } = actorOf(context)
  const rows = changes.flatMap((change) =>
    matching(schema, object, wanted, { ...change, by: makerOf(context) }, context.now).map(
      ({ watching, answer, event_type }) => ({
        company_id,
        id: randomUUIDv7(),
        subscription_id: watching.id,
        kind: watching.kind,
        change_set_id: context.change_set_id,
        object_id: object.id,
        record_id: change.after.id,
        version: change.after.version,
        action: change.action,
        event_type,
        actor_id: user_id || null,
        is_unchecked: answer === 'ask',
        created_at: now,
        next_attempt_at: now,
      }),
    ),
  )
  if (!rows.length) return
  context.insert('deliveries', rows)
  context.emit('deliveries.queued', {})
}

function concernsMaker(context: Context, { made_by, owner_id }: Watching) {
  if (made_by === 'anyone') return true
  return made_by === 'others' ? context.actor?.user_id !== owner_id : isByAgent(context)
}

/** An agent or another program makes the change. */
export const isByAgent = ({ actor, door, principal }: Context) =>
  !principal && (door === 'rest' || door === 'mcp' || actor?.kind === 'agent')

/** A new record changes the fields that it has from the start. */
const isAboutValues = (action: Action) => action === 'updated' || action === 'created'

type Match = { watching: Watching; answer: Answer; event_type: RecordEventType | null }

/** Which subscriptions want to know about this change; of a webhook, once for each event that it fires. */
export function matching(
  schema: Schema,
  object: ObjectSchema,
  { all, fields }: Watchers,
  change: RecordChange & { by: Maker },
  now: Date,
): Match[] {
  const types = eventTypesOf(object, change.action, change.fields, change.by)
  const wanted = all.flatMap((watching) => {
    const event_types = typesFor(watching, change, types)
    return event_types.length ? [{ watching, event_types }] : []
  })
  if (!wanted.length) return []
  const values = comparableValues(schema, fields, change.after)
  const earlier = change.before && comparableValues(schema, fields, change.before)
  const answerTo = (watching: Watching): Answer => {
    const filter = watching.resolved(now)
    if (!filter) return true
    if (watching.filter_on === 'before') return earlier ? evaluate(filter, earlier) : false
    const answer = evaluate(filter, values)
    if (!answer || !watching.only_new_matches || change.action !== 'updated') return answer
    return evaluate(filter, earlier!) === false
  }
  return wanted.flatMap(({ watching, event_types }) => {
    const answer = answerTo(watching)
    return answer === false ? [] : event_types.map((event_type) => ({ watching, answer, event_type }))
  })
}

function typesFor(watching: Watching, { action, fields }: RecordChange, types: RecordEventType[]) {
  const { event_types } = watching
  if (event_types) return types.filter((type) => event_types.includes('*') || event_types.includes(type))
  const isInterested =
    watching.actions.includes(action) &&
    (!isAboutValues(action) || !watching.fields.length || watching.fields.some((key) => own(fields, key)))
  return isInterested ? [null] : []
}
