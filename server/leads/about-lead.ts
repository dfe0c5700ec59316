// Notes and activities about a lead that no one typed: another submission, the automatic reply, what a lead said.
import { builtInInUse, type ObjectSchema } from '../engine/schema/schema.ts'
import type { Target } from '../engine/schema/target.ts'
import type { Values } from '../engine/values/from-row.ts'
import { defaultsOf, newRecords } from '../engine/write/create.ts'
import { readAll, refuseFaults } from '../engine/write/input.ts'
import { saveChanges } from '../engine/write/save.ts'

/** `by`: its author; null: Kith. `about`: also records that the same change creates. */
type Added = { about: string[]; by: string | null; owner: string | null; values: Values }

export async function addAbout(
  { context, schema }: Target,
  key: 'notes' | 'activities',
  { about, by, owner, values }: Added,
) {
  const object = schema.builtIn.get(key)
  const link = object && builtInInUse(object, 'about')
  if (!object || !link || object.archived_at) return
  const target = { context, schema, object }
  const sent = inUse(object, values)
  const [draft] = await readAll(target, [{ values: { ...defaultsOf(target), ...sent }, path: key }])
  const { changes, faults } = await newRecords(target, [{ ...draft!, [link.key]: about, owner }], [sent], () => key)
  refuseFaults(faults)
  const written = changes.map((change) => ({ ...change, after: { ...change.after, created_by: by } }))
  await saveChanges(target, written, false)
}

/** By key of the company, without fields that it has archived. */
export const inUse = (object: ObjectSchema, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const field = builtInInUse(object, key)
      return field && value !== undefined ? [[field.key, value]] : []
    }),
  )
