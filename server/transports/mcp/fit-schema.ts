// A company's schema that is too long to read at once: first whole objects, then only names.
import type { Json } from './offer.ts'

/** Part of an answer, and what to do to get the rest. */
export type Part = { answer: Json; hint: string }
/** Leaves something out, in steps: `fits` tells when it is enough. */
export type Cut = (part: Part, fits: (part: Part) => boolean) => Part

type Described = { key: string; fields: Json[] }
const objectsIn = ({ answer }: Part) => answer.objects as Described[]
const withObjects = (part: Part, objects: unknown[], hint: string): Part => ({
  answer: { ...part.answer, objects },
  hint,
})

/** The first objects whole, of the others only how they are called. */
const firstObjects: Cut = (part, fits) => {
  const all = objectsIn(part)
  const first = (count: number) => {
    const rest = all.slice(count)
    const keys = rest.slice(0, 10).map(({ key }) => `"${key}"`)
    return withObjects(
      part,
      [...all.slice(0, count), ...rest.map(({ key }) => ({ key }))],
      `The fields of ${rest.length} objects are left out. Ask for them with objects, such as {"objects": [${keys.join(', ')}]}.`,
    )
  }
  if (all.length < 2) return part
  for (let count = all.length - 1; count > 1; count--) if (fits(first(count))) return first(count)
  return first(1)
}

const mostOptions = 10

const changeFields = (part: Part, change: (field: Json) => Json, hint: string) =>
  withObjects(
    part,
    objectsIn(part).map((object) => (object.fields ? { ...object, fields: object.fields.map(change) } : object)),
    `${part.hint} ${hint}`,
  )

const fewerOptions: Cut = (part) =>
  changeFields(
    part,
    (field) => {
      const options = field.options as unknown[] | undefined
      if (!options || options.length <= mostOptions) return field
      return { ...field, options: options.slice(0, mostOptions), more_options: options.length - mostOptions }
    },
    `Of each field the first ${mostOptions} options are shown; a value that is no option is refused with the nearest ones.`,
  )

const onlyKeys: Cut = (part) =>
  changeFields(part, ({ key, type }) => ({ key, type }), 'Of fields only key and type are shown.')

export const schemaCuts: Cut[] = [firstObjects, fewerOptions, onlyKeys]
