// Compares changes with the company's subscriptions and queues what matches, in the transaction of the changes.
import { randomUUIDv7 } from 'node:crypto'
import { type Answer, evaluate } from '../../../contract/filter/index.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import type { Action } from '../schema/subscription.ts'
import type { Stored } from '../values/from-row.ts'
import { comparableValues, type Watchers, type Watching, watchersOf } from './filters.ts'

/** `changed`: the keys of the fields that differ. */
export type RecordChange = { action: Action; before: Stored | undefined; after: Stored; changed: string[] }
type Target = { context: Context; schema: Schema; object: ObjectSchema }

export function queueMatches({ context, schema, object }: Target, changes: RecordChange[]) {
  if (!schema.subscriptions.length) return
  const watchers = watchersOf(schema, object)
  const wanted = { ...watchers, all: watchers.all.filter((watching) => concernsMaker(context, watching)) }
  if (!wanted.all.length) return
  const now = context.now.toISOString()
  const { company_id, user_id } = actorOf(context)
  const rows = changes.flatMap((change) =>
    matching(schema, wanted, change, context.now).map(({ watching, answer }) => ({
      company_id,
      id: randomUUIDv7(),
      subscription_id: watching.id,
      kind: watching.kind,
      change_set_id: context.change_set_id,
      object_id: object.id,
      record_id: change.after.id,
      version: change.after.version,
      action: change.action,
      actor_id: user_id || null,
      is_unchecked: answer === 'ask',
      created_at: now,
      next_attempt_at: now,
    })),
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

function matching(schema: Schema, { all, fields }: Watchers, change: RecordChange, now: Date) {
  const { action, before, after, changed } = change
  const interested = all.filter(
    (one) =>
      one.actions.includes(action) &&
      (!isAboutValues(action) || !one.fields.length || one.fields.some((key) => changed.includes(key))),
  )
  if (!interested.length) return []
  const values = comparableValues(schema, fields, after)
  const answerTo = (watching: Watching): Answer => {
    const filter = watching.resolved(now)
    if (!filter) return true
    const answer = evaluate(filter, values)
    if (!answer || !watching.only_new_matches || action !== 'updated') return answer
    return evaluate(filter, comparableValues(schema, fields, before!)) === false
  }
  return interested.flatMap((watching) => {
    const answer = answerTo(watching)
    return answer === false ? [] : [{ watching, answer }]
  })
}
