// Shortens a company's schema that is too long for one response: first whole objects, then only names.
import type { Json } from './catalog.ts'

/** Part of an answer, with a hint on how to get the rest. */
export type Part = { answer: Json; hint: string }
/** Leaves something out, step by step, until `fits` returns true. */
export type Cut = (part: Part, fits: (part: Part) => boolean) => Part

type Described = { key: string; fields: Json[] }
const objectsIn = ({ answer }: Part) => answer.objects as Described[]
const withObjects = (part: Part, objects: unknown[], hint: string): Part => ({
  answer: { ...part.answer, objects },
  hint,
})

/** The first objects in full, the others only by key. */
const firstObjects: Cut = (part, fits) => {
  const all = objectsIn(part)
  const first = (count: number) => {
    const rest = all.slice(count)
    const keys = rest.slice(0, 10).map(({ key }) => `"${key}"`)
    return withObjects(
      part,
      [...all.slice(0, count), ...rest.map(({ key }) => ({ key }))],
      `The fields of ${rest.length} objects are omitted. Request them with {"objects": [${keys.join(', ')}]}.`,
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
    `Only the first ${mostOptions} options of each field are shown. Writing an unknown option returns similar ones.`,
  )

const onlyKeys: Cut = (part) => changeFields(part, ({ key, type }) => ({ key, type }), 'Fields show only key and type.')

export const schemaCuts: Cut[] = [firstObjects, fewerOptions, onlyKeys]
