import type { RecordEventType } from '../../../../contract/record-events.ts'
import type { Db } from '../../../platform/db.ts'
import type { Action, Subscription } from '../../schema/subscription.ts'

/** A change that matched a subscription. */
export type Delivery = {
  company_id: string
  id: string
  subscription_id: string
  kind: Subscription['kind']
  change_set_id: string
  object_id: string
  record_id: string
  version: number
  action: Action
  /** Of a webhook. */
  event_type: RecordEventType | null
  actor_id: string | null
  is_unchecked: boolean
  created_at: Date
  attempts: number
}

export type Batch = {
  /** The transaction that also removes the deliveries from the queue. */
  tx: Db
  company_id: string
  subscription: Subscription
  /** Of one change set, with the same action. The filter still has to be checked for all of them, or for none. */
  deliveries: Delivery[]
  now: Date
}

export type DeliveryHandlers = {
  notification(batch: Batch): Promise<void>
  /** Of any webhooks and any changes, so that many webhooks cost hardly more than one. */
  webhook(batch: Omit<Batch, 'subscription'>): Promise<void>
  /** Those of webhooks that failed too often. They are still in the queue. */
  givenUp(batch: Omit<Batch, 'subscription'>): Promise<void>
}
export type DeliveryHandler = DeliveryHandlers['notification']
