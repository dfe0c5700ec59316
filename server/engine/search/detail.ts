import type { FieldType } from '../../../contract/built-in/field-types.ts'
import { own } from '../../../contract/shared/own.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Found } from './find.ts'

/** The field types that best distinguish records with the same title, best first. */
const distinguishing: FieldType[] = ['email', 'text', 'url', 'phone', 'select']
const longest = 120

export function detailOf(object: ObjectSchema, { title, values }: Found) {
  for (const type of distinguishing) {
    for (const field of object.fields.filter((field) => field.type === type)) {
      const [value] = [own(values, field.key) ?? []].flat()
      if (value === undefined || value === '') continue
      const text = field.options?.find(({ key }) => key === value)?.label ?? String(value)
      if (!title.includes(text)) return [...text].slice(0, longest).join('')
    }
  }
  return null
}
