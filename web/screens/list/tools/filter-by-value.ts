import { asFilterField, type Filter, operatorsOf, print, type Scope } from '../../../../contract/filter/index.ts'
import { idOf, relatedIn } from '../../../records/data/records-api.ts'
import type { FieldShape } from '../../../records/data/schema.ts'
import { isEmpty, type Money } from '../../../records/data/value-text.ts'
import { allOf, grouped, read } from '../../../records/filter/tree.ts'
import { dayOf } from '../../../ui/text/moments.ts'

/** The filter with one more condition: what a cell holds. Nothing: the filter language cannot ask for it. */
export function filteredByValue(text: string, scope: Scope, path: string, field: FieldShape, value: unknown) {
  const before = read(text, scope).filter
  const condition = conditionOn(path, field, value)
  if (!before || !condition || !read(print(condition), scope).filter) return undefined
  const parts = allOf(before).parts.map(({ filter }) => filter)
  const isThere = parts.some((one) => print(one) === print(condition))
  return isThere ? text : print(grouped('and', [...parts, condition]))
}

function conditionOn(path: string, field: FieldShape, value: unknown): Filter | undefined {
  const allowed = operatorsOf(asFilterField(field))
  if (isEmpty(value)) return allowed.includes('is_empty') ? { field: path, op: 'is_empty' } : undefined
  const first = comparedOf(field, [value].flat()[0])
  if (allowed.includes('eq')) return { field: path, op: 'eq', value: first }
  return allowed.includes('has_any') ? { field: path, op: 'has_any', value: [first] } : undefined
}

function comparedOf({ type }: FieldShape, value: unknown): string | number | boolean {
  if (type === 'relation') return idOf(relatedIn(value)[0]!)
  if (type === 'money') return Number((value as Money).amount)
  if (type === 'datetime') return dayOf(Date.parse(String(value)))
  return value as string | number | boolean
}
