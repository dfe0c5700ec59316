import type { FieldType } from '../../../contract/field-types.ts'
import { own } from '../../../contract/own.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Found } from './find.ts'

/** What tells records of the same title apart, best first. */
const telling: FieldType[] = ['email', 'text', 'url', 'phone', 'select']
const longest = 120

export function detailOf(object: ObjectSchema, { title, values }: Found) {
  for (const type of telling) {
    for (const field of object.fields.filter((one) => one.type === type)) {
      const [value] = [own(values, field.key) ?? []].flat()
      if (value === undefined || value === '') continue
      const text = field.options?.find(({ key }) => key === value)?.label ?? String(value)
      if (!title.includes(text)) return [...text].slice(0, longest).join('')
    }
  }
  return null
}
