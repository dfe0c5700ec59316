import type { changeMakers, recordActions, ruleKinds } from '../../../contract/notification-rules.ts'
import type { WebhookEventType } from '../../../contract/record-events.ts'

export type Action = (typeof recordActions)[number]

/** Someone's wish to know about changes of records. The kind says what happens with a change that matches. */
export type Subscription = {
  id: string
  kind: 'notification' | 'webhook'
  owner_id: string
  name: string
  /** Null: any object. */
  object_id: string | null
  actions: Action[]
  /** An update must change one of these; empty: any field. */
  fields: string[]
  filter: string | null
  only_new_matches: boolean
  made_by: (typeof changeMakers)[number]
  /** Other kinds than record_matched are not compared with changes: they limit the notifications of that kind. */
  notification_kind: (typeof ruleKinds)[number]
  /** Of a webhook; null: not one. */
  event_types: (WebhookEventType | '*')[] | null
  /** The filter compares the record after or before the change. */
  filter_on: 'after' | 'before'
  /** Not for changes to several records at once. */
  skip_bulk: boolean
}
