import type { changeMakers, recordActions } from '../../../contract/notification-rules.ts'

export type Action = (typeof recordActions)[number]

/** Someone's wish to know about changes of records. The kind says what happens with a change that matches. */
export type Subscription = {
  id: string
  kind: 'notification'
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
}
