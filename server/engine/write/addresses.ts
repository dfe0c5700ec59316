// Says which people and leads have new addresses, so that conversations with these addresses are linked to them, and
// which people have new names, so that their conversations have them, too.
import type { ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { builtInValue } from '../values/built-in-values.ts'
import type { Stored } from '../values/from-row.ts'
import type { Change } from './change.ts'

const fields: Record<string, string[]> = { people: ['emails', 'phones'], leads: ['email', 'phone'] }

export function noteAddresses({ context, schema, object }: Target, changes: Change[]) {
  if (!schema.has_channels || !fields[object.built_in_key ?? '']) return
  const record_ids = changes.filter((change) => hasNew(object, change)).map(({ after }) => after.id)
  if (record_ids.length) context.emit('contact.addressed', { record_ids })
  const renamed = changes.filter(({ before, after }) => before && before.title !== after.title && !after.deleted_at)
  if (object.built_in_key === 'people' && renamed.length)
    context.emit('contact.renamed', { record_ids: renamed.map(({ after }) => after.id) })
}

/** Those of a record in the trash do not count. */
function hasNew(object: ObjectSchema, { before, after }: Change) {
  const known = new Set(addressesOf(object, before))
  return addressesOf(object, after).some((address) => !known.has(address))
}

const addressesOf = (object: ObjectSchema, record: Stored | undefined) =>
  record && !record.deleted_at
    ? fields[object.built_in_key!]!.flatMap((key) => [builtInValue(object, record.values, key) ?? []].flat())
    : []
