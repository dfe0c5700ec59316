import type { FieldShape, ObjectShape } from '../../../../records/schema.ts'

/** `out`: a field of this record leads there. `in`: a field of theirs leads here. */
export type Relation = {
  way: 'out' | 'in'
  field: FieldShape
  /** Whose records they are; nothing: of any object. */
  other: ObjectShape | undefined
  label: string
}

/** These have sections of their own on the page. */
const apart = new Set(['tasks', 'notes', 'activities'])

/** Every way in which records of this object are related, both directions. */
export function relationsOf(object: ObjectShape, objects: ObjectShape[]): Relation[] {
  const readable = objects.filter(({ rights }) => rights.read !== 'none')
  const out = object.fields.filter(isRelation).map((field): Relation => {
    const [only, ...more] = field.to_objects ?? []
    const other = more.length ? undefined : readable.find(({ key }) => key === only)
    return { way: 'out', field, other, label: field.label }
  })
  const inward = readable
    .filter(({ key }) => !apart.has(key))
    .flatMap((other) => {
      const fields = other.fields.filter((field) => isRelation(field) && leadsTo(field, object.key))
      return fields.map((field): Relation => {
        const isPlain = fields.length === 1 && other.key !== object.key
        return {
          way: 'in',
          field,
          other,
          label: isPlain ? other.label_plural : `${other.label_plural} (${field.label})`,
        }
      })
    })
  return [...out, ...inward]
}

export const relationKey = ({ way, field, other }: Relation) => `${way} ${other?.key ?? ''} ${field.key}`

const isRelation = ({ type }: FieldShape) => type === 'relation'
export const leadsTo = ({ to_objects }: FieldShape, object: string) =>
  !to_objects?.length || to_objects.includes(object)

/** The records whose field leads to this one, as a filter. */
export const leadingTo = ({ key, is_multi }: FieldShape, id: string) =>
  is_multi ? `\`${key}\` has any ("${id}")` : `\`${key}\` = "${id}"`
