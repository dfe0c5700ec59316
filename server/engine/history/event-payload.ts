// An event as webhooks and GET /events show it: only what the reader may see, and under 20 kB.

import { mostPayloadBytes, type RecordEventType, type WebhookPayload } from '../../../contract/record-events.ts'
import { pages } from '../../../contract/shared/pages.ts'
import type { Actor } from '../../kernel/context.ts'
import { showRelations } from '../read/fields.ts'
import { seenBy } from '../rights/rights.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import { type Stored, shown } from '../values/from-row.ts'
import { type EventRow, recordAfter } from './event-rows.ts'

type Reader = { actor: Actor; schema: Schema; baseUrl: URL }
/** `fields`: only these fields of the record. */
type Options = { fields?: string[] | null; replay?: boolean; test?: boolean }

export const eventIdOf = (
  { change_set_id, position }: Pick<EventRow, 'change_set_id' | 'position'>,
  type: RecordEventType,
) => `${change_set_id}.${position}${type.startsWith('record.') ? '' : `.${type.split('.')[1]}`}`

export function payloadOf(reader: Reader, row: EventRow, type: RecordEventType, options: Options = {}): WebhookPayload {
  const { actor, schema, baseUrl } = reader
  const { replay = false, test = false } = options
  const object = schema.objects.get(row.object)!
  const seen = seenBy(actor, object)
  const only = options.fields ? new Set(options.fields) : undefined
  const after = recordAfter(schema, row)
  const fields = visibleFields(object, seen, row, only)
  const payload = {
    id: eventIdOf(row, type),
    type,
    at: row.at.toISOString(),
    company: { id: actor.company_id, name: actor.company_name },
    principal: principalOf(actor, row),
    object: row.object,
    record_id: row.record_id,
    version: row.version,
    record: after && recordIn(seen, after, row, only),
    changed_fields: Object.keys(fields),
    fields,
    change_set_id: row.change_set_id,
    bulk: row.bulk,
    link: baseUrl.origin + pages.record.replace(':object', row.object).replace(':id', row.record_id),
    is_shortened: false,
    replay,
    test,
  }
  return isSmall(payload) ? payload : { ...payload, record: null, fields: {}, is_shortened: true }
}

/** Relations as everywhere else: with the title, and with the object if it can be one of several. */
const recordIn = (seen: ObjectSchema, after: Stored, { related }: EventRow, only: Set<string> | undefined) =>
  showRelations([shown(seen, after, only && new Set(['title', ...only]))], seen.fields, related)[0]!

const isSmall = (payload: WebhookPayload) => Buffer.byteLength(JSON.stringify(payload)) < mostPayloadBytes

/** Without relations to objects that the reader may not see. */
function visibleFields(object: ObjectSchema, seen: ObjectSchema, { fields }: EventRow, only: Set<string> | undefined) {
  const isShown = (key: string) => (!only || only.has(key)) && (seen.byKey.has(key) || !object.byKey.has(key))
  return Object.fromEntries(Object.entries(fields).filter(([key]) => isShown(key)))
}

/** Everyone who can read a record sees who changed it. Only Admins and that user see the key and the client. */
function principalOf({ is_admin, user_id }: Actor, row: EventRow): WebhookPayload['principal'] {
  const isOpen = is_admin || row.actor_id === user_id
  const { principal_kind: kind, principal_id, principal_name } = row
  return {
    ...(kind
      ? { kind: kind as 'rule', id: principal_id, name: principal_name }
      : { kind: 'user', id: row.actor_id, name: row.actor_name }),
    via: row.door as 'rest',
    api_key_id: isOpen ? row.api_key_id : null,
    api_key_name: isOpen ? row.api_key_name : null,
    client: isOpen ? row.client : null,
  }
}
