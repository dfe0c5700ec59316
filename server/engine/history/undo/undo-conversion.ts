// The conversion of a lead is undone as a whole or not at all: half of it would be a lead to convert a second time.
import { AppError } from '../../../kernel/app-error.ts'
import type { Schema } from '../../schema/schema.ts'
import { alreadyUndone, type Left, type PastChange } from './past-change.ts'

const isConversion = ({ operation }: PastChange) => operation === 'convertLead'
const leadsOf = (schema: Schema) => schema.builtIn.get('leads')

/** Users who can edit the lead can convert it and undo the conversion, no matter who owns the created records. */
export function ofConversions(schema: Schema, changes: PastChange[]) {
  const leads = leadsOf(schema)?.key
  const became = changes.filter((change) => isConversion(change) && change.object !== leads)
  const ids = new Set(became.map(({ record_id }) => record_id))
  return (record_id: string) => ids.has(record_id)
}

/** Conversions of which the lead, or a record that they made, would stay. */
export function brokenConversions(schema: Schema, changes: PastChange[], left: Left[]) {
  const leads = leadsOf(schema)
  const isKept = ({ object, record_id }: PastChange) =>
    left.find((one) => {
      const isDerived = one.field !== null && leads?.byKey.get(one.field)?.is_read_only
      const isWhole = one.field === null || (object === leads?.key && !isDerived)
      return one.record_id === record_id && isWhole && one.reason !== alreadyUndone
    })
  const conversions = Map.groupBy(changes.filter(isConversion), ({ change_set_id }) => change_set_id)
  return [...conversions].flatMap(([id, list]) => {
    const because = list.map(isKept).find(Boolean)
    return because ? [{ id, because }] : []
  })
}

export const partOfConversion = 'It is part of a lead conversion that cannot be undone as a whole'

export const cannotUndoConversion = ({ record_id, field, reason }: Left) =>
  new AppError(
    'conflict',
    `This conversion can only be undone as a whole, so nothing was undone. One of its records (${record_id}) must stay${field ? ` as it is (${field})` : ''}: ${reason[0]!.toLowerCase()}${reason.slice(1)}. Undo that first, or change the records by hand.`,
  )
