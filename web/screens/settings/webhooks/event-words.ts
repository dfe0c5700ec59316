import { type WebhookEventType, webhookEventTypes } from '../../../../contract/record-events.ts'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { isLeads } from '../../../records/data/leads.ts'
import { isDeals } from '../../../records/data/pipelines.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import type { Webhook } from '../../../webhooks/webhook.ts'

export const eventTypes = Object.keys(webhookEventTypes) as WebhookEventType[]

/** Events of deals and of leads happen to no other records. */
export const typesFor = (object: ObjectShape | undefined) =>
  eventTypes.filter(
    (type) =>
      !object ||
      type.startsWith('record.') ||
      (isDeals(object) && type.startsWith('deal.')) ||
      (isLeads(object) && type.startsWith('lead.')),
  )

/** "All events", "Deals: won, lost", "created, updated" */
export function eventsInWords({ events, object }: Pick<Webhook, 'events' | 'object'>, objects: ObjectShape[]) {
  const name = object === null ? undefined : (objects.find(({ key }) => key === object)?.label_plural ?? object)
  const isAll = events.includes('*')
  if (isAll) return name ? `All events of ${inSentence(name)}` : 'All events'
  const wordOf = (type: string) => (!type.startsWith('record.') && !name ? type.replace('.', ' ') : type.split('.')[1]!)
  const list = events.map((type) => wordOf(type).replaceAll('_', ' ')).join(', ')
  return name ? `${name}: ${list}` : `Any record: ${list}`
}
