// Notifies the owner of a rule about the records that matched it: one notification per change set.
import { inSentence } from '../../contract/in-sentence.ts'
import { findActorById } from '../accounts/users/queries.ts'
import type { Batch, Delivery, DeliveryHandler } from '../deliveries/delivery.ts'
import { conditionsOf } from '../engine/read/conditions.ts'
import { errorsOfStored } from '../engine/read/stored-filter.ts'
import { rightsFor } from '../engine/rights/rights.ts'
import { schemaOf } from '../engine/schema/schema.ts'
import type { Actor, Context } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import type { Mailer } from '../mail/mailer.ts'
import { announceTo, writeNotification } from './write.ts'

export const deliverMatches =
  (mailer: Mailer): DeliveryHandler =>
  async (batch) => {
    const { tx, company_id, subscription, deliveries, now } = batch
    const owner = await findActorById(tx, company_id, subscription.owner_id)
    if (!owner) return
    const found = await readableMatches(batch, owner)
    if (!found?.records.length) return
    const { records, object } = found
    const [{ change_set_id, action, actor_id }] = deliveries as [Delivery]
    const [first] = records as [(typeof records)[number]]
    const about = { rule: subscription.name, action, object: object.key, label: inSentence(object.label_plural) }
    const data = { ...about, count: records.length, record_id: first.id, title: first.title }
    const draft = { kind: 'record_matched' as const, data, to: [owner.user_id], actor_id, isAdded: true as const }
    const event = { id: change_set_id, company_id, at: now, request_id: change_set_id }
    const key = `${change_set_id} ${subscription.id} ${action}`
    const canMail = await mailer.canSend(tx, company_id)
    await announceTo(tx, await writeNotification(tx, event, { ...draft, key }, canMail))
  }

/** The records that the owner of the rule may read now, and that match where the writer could not tell. */
async function readableMatches({ tx, subscription, deliveries, now }: Batch, owner: Actor) {
  const schema = await schemaOf(tx, owner)
  const object = schema.byId.get(deliveries[0]!.object_id)
  if (!object || object.archived_at || rightsFor(owner, object.key).read === 'none') return undefined
  const context = { actor: owner, db: tx, now } as Context
  const filter = subscription.filter ?? ''
  const [error] = await errorsOfStored(context, schema, [{ object, filter }])
  if (error) return undefined
  const [{ is_unchecked, action }] = deliveries as [Delivery]
  const params = new Params()
  const asked = { filter: is_unchecked ? filter : undefined, deleted: action === 'deleted', at: now }
  const where = (await conditionsOf(context, schema, object, asked))(params)
  const ids = deliveries.map(({ record_id }) => record_id)
  where.push(`r.id = any(${params.add(ids, 'uuid[]')})`)
  const records = await run<{ id: string; title: string }>(
    tx,
    `select r.id, r.title from records r where ${where.join(' and ')}`,
    params,
  )
  return { records, object }
}
