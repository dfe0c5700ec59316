// What to say of a record in one line, beside its title.
import type { RecordShape } from '../../../../records/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../../records/schema.ts'
import { isEmpty } from '../../../../records/value-text.ts'

const most = 3
const candidates = 7
const weights: Partial<Record<FieldShape['type'], number>> = {
  money: 6,
  email: 5,
  select: 4,
  text: 3,
  date: 2,
  phone: 1,
}
const partsOfTitle = new Set(['title', 'name', 'first_name', 'last_name'])

/** The fields that tell most, best first. A choice without a choice tells nothing. */
export const tellingFields = (object: ObjectShape) =>
  object.fields
    .filter(({ key, type, options }) => weights[type] && !partsOfTitle.has(key) && (!options || options.length > 1))
    .filter(({ is_read_only }) => !is_read_only)
    .sort((a, b) => weightOf(b) - weightOf(a))
    .slice(0, candidates)

const weightOf = ({ type, options }: FieldShape) => (options?.some(({ kind }) => kind) ? 10 : (weights[type] ?? 0))

export const factsOf = (object: ObjectShape, record: RecordShape | undefined) =>
  record
    ? tellingFields(object)
        .filter(({ key }) => !isEmpty(record[key]))
        .slice(0, most)
        .map((field) => ({
          field,
          value: Array.isArray(record[field.key]) ? [record[field.key]].flat()[0] : record[field.key],
        }))
    : []
