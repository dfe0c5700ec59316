// Says which people and leads have new addresses, so that conversations with these addresses are linked to them, and
// which people have new names, so that their conversations have them, too. Clearing “Do not contact” takes back what these
// addresses unsubscribed from.
import { actorOf } from '../../../kernel/context.ts'
import type { ObjectSchema } from '../../schema/schema.ts'
import type { Target } from '../../schema/target.ts'
import { builtInValue } from '../../values/built-in-values.ts'
import type { Change } from '../../values/change.ts'
import type { Stored } from '../../values/from-row.ts'

const fields: Record<string, string[]> = { people: ['emails', 'phones'], leads: ['email', 'phone'] }

export function noteAddresses({ context, schema, object }: Target, changes: Change[]) {
  if (!schema.has_channels || !fields[object.built_in_key ?? '']) return
  const record_ids = changes.filter((change) => hasNew(object, change)).map(({ after }) => after.id)
  if (record_ids.length) context.emit('contact.addressed', { record_ids })
  allowAgain({ context, object }, changes)
  const renamed = changes.filter(({ before, after }) => before && before.title !== after.title && !after.deleted_at)
  if (object.built_in_key === 'people' && renamed.length)
    context.emit('contact.renamed', { record_ids: renamed.map(({ after }) => after.id) })
}

function allowAgain({ context, object }: Pick<Target, 'context' | 'object'>, changes: Change[]) {
  if (object.built_in_key !== 'people') return
  const isMarked = (record: Stored) => builtInValue(object, record.values, 'do_not_contact') === true
  const allowed = changes
    .filter(({ before, after }) => before && isMarked(before) && !isMarked(after) && !after.deleted_at)
    .flatMap(({ after }) => addressesOf(object, after))
    .map((address) => String(address).toLowerCase())
  if (!allowed.length) return
  const { company_id } = actorOf(context)
  context.write(
    (params) => `delete from opt_outs where company_id = ${params.add(company_id, 'uuid')}
      and address = any(${params.add(allowed, 'text[]')})`,
  )
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
