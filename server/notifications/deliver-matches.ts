// Notifies the owner of a rule about the records that matched it: one notification per change set.
import { inSentence } from '../../contract/shared/in-sentence.ts'
import { findActorById } from '../accounts/users/queries.ts'
import { errorsOfStored } from '../engine/read/stored-filter.ts'
import { schemaOf } from '../engine/schema/schema.ts'
import type { Batch, Delivery, DeliveryHandler } from '../engine/subscriptions/deliver/delivery.ts'
import type { Actor } from '../kernel/context.ts'
import type { Statement } from '../kernel/statement.ts'
import type { Mailer } from '../mail/mailer.ts'
import { contextOf, findReadable } from './readable-records.ts'
import { announceTo, writeNotification } from './write.ts'

export const deliverMatches =
  (mailer: Mailer): DeliveryHandler =>
  async (batch) => {
    const { tx, company_id, subscription, deliveries, now } = batch
    const owner = await findActorById(tx, company_id, subscription.owner_id)
    if (!owner) return
    const matches = await readableMatches(batch, owner)
    if (!matches) return
    const { found, object } = matches
    const [{ change_set_id, action, actor_id }] = deliveries as [Delivery]
    const about = { rule: subscription.name, action, object: object.key, label: inSentence(object.label_plural) }
    const data = { ...about, count: found.count, record_id: found.id, title: found.title }
    const planned = { kind: 'record_matched' as const, data, to: [owner.user_id], actor_id, isAdded: true as const }
    const event = { id: change_set_id, company_id, at: now, request_id: change_set_id }
    const key = `${change_set_id} ${subscription.id} ${action}`
    const canMail = await mailer.canSend(tx, company_id)
    await announceTo(tx, await writeNotification(tx, event, { ...planned, key }, canMail))
  }

/** The records that the owner of the rule may read now, and that match where the writer could not tell. */
async function readableMatches({ tx, subscription, deliveries, now }: Batch, reader: Actor) {
  const schema = await schemaOf(tx, reader)
  const object = schema.byId.get(deliveries[0]!.object_id)
  if (!object) return undefined
  const [{ is_unchecked, action }] = deliveries as [Delivery]
  const reading = { reader, db: tx, schema, now, deleted: action === 'deleted' }
  const filter = subscription.filter ?? ''
  const [error] = await errorsOfStored(contextOf(reading), schema, [{ object, filter }])
  if (error) return undefined
  const ids = deliveries.map(({ record_id }) => record_id)
  const among: Statement = (params) => `r.id = any(${params.add(ids, 'uuid[]')})`
  const found = await findReadable(reading, object, is_unchecked ? [filter] : [], among)
  return found && { found, object }
}
