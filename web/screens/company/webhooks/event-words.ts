import { inSentence } from '../../../../contract/in-sentence.ts'
import { type RecordEventType, recordEventTypes } from '../../../../contract/record-events.ts'
import { isDeals } from '../../../records/pipelines.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import type { Webhook } from './webhook.ts'

export const eventTypes = Object.keys(recordEventTypes) as RecordEventType[]

/** Events of deals happen to no other records. */
export const typesFor = (object: ObjectShape | undefined) =>
  eventTypes.filter((type) => !object || isDeals(object) || !type.startsWith('deal.'))

/** "All events", "Deals: won, lost", "created, updated" */
export function eventsInWords({ events, object }: Pick<Webhook, 'events' | 'object'>, objects: ObjectShape[]) {
  const name = object === null ? undefined : (objects.find(({ key }) => key === object)?.label_plural ?? object)
  const isAll = events.includes('*')
  if (isAll) return name ? `All events of ${inSentence(name)}` : 'All events'
  const wordOf = (type: string) => (type.startsWith('deal.') && !name ? type.replace('.', ' ') : type.split('.')[1]!)
  const list = events.map((type) => wordOf(type).replaceAll('_', ' ')).join(', ')
  return name ? `${name}: ${list}` : `Any record: ${list}`
}
