import type { FieldShape } from '../../records/data/schema.ts'
import { pluralOf } from '../../records/data/value-text.ts'
import { type Known, matchingOf } from './choices.ts'

const titleKeys = ['title', 'name', 'first_name', 'last_name']
const isTitle = ({ key }: FieldShape) => titleKeys.includes(key)

/** What new records would lack, and which fields. If one is required, usually the wrong kind of record was chosen. */
export function lackIn(known: Known): { text: string; keys: string[] } | undefined {
  const { object, mapped, preview } = known
  if (matchingOf(known).mode === 'update') return undefined
  const required = object.fields.filter(
    ({ is_required, is_read_only, default_value }) => is_required && !is_read_only && (default_value ?? null) === null,
  )
  const lacking = required.filter(
    ({ key }) => !mapped.some(({ field }) => field.key === key) && !(key in preview.implied),
  )
  const many = pluralOf(object)
  if (lacking.length) {
    const labels = new Intl.ListFormat('en').format(lacking.map(({ label }) => label))
    return {
      text: `No column goes into ${labels}, which new ${many} need. Are these really ${many}?`,
      keys: lacking.map(({ key }) => key),
    }
  }
  // Those of objects without such a field never have names.
  const isNameless = object.fields.some(isTitle) && !mapped.some(({ field }) => isTitle(field))
  if (!isNameless) return undefined
  return { text: `No column goes into a name, so these ${many} would have none.`, keys: titleKeys.slice(0, 2) }
}
