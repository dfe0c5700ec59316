// Adds the built-in objects to a company, with a typed column for each field that holds a single short value.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { builtIn } from '../../../contract/built-in.ts'
import type { FieldType } from '../../../contract/field-types.ts'
import type { Db } from '../../platform/db.ts'

const numeric: FieldType[] = ['number', 'money']
const textual: FieldType[] = [
  'text',
  'email',
  'phone',
  'url',
  'country',
  'date',
  'datetime',
  'select',
  'user',
  'boolean',
]
const slots = {
  n: Array.from({ length: 12 }, (_, i) => `n${i + 1}`),
  s: Array.from({ length: 20 }, (_, i) => `s${i + 1}`),
}

/** The first free slot of its kind. A field without one also works, but sorts more slowly. */
export function freeSlot(type: FieldType, is_multi: boolean, taken: Set<string>) {
  if (is_multi) return null
  const kind = numeric.includes(type) ? slots.n : textual.includes(type) ? slots.s : []
  return kind.find((slot) => !taken.has(slot)) ?? null
}

export async function seedObjects(db: Db, company_id: string) {
  const objects = Object.entries(builtIn).map(([key, { fields, ...object }], position) => {
    const id = randomUUIDv7()
    const taken = new Set<string>()
    return {
      row: { company_id, id, key, ...object, is_built_in: true, position },
      fields: fields.map((field, place) => {
        const slot = freeSlot(field.type, field.is_multi ?? false, taken)
        if (slot) taken.add(slot)
        const { options = null, to_objects = null, default_value = null, ...rest } = field
        return {
          company_id,
          id: randomUUIDv7(),
          object_id: id,
          description: '',
          is_multi: false,
          is_required: false,
          is_unique: false,
          is_read_only: false,
          is_built_in: true,
          position: place,
          slot,
          options,
          to_objects,
          default_value,
          ...rest,
        }
      }),
    }
  })
  const rows = JSON.stringify(objects.map((object) => object.row))
  const fields = JSON.stringify(objects.flatMap((object) => object.fields))
  await sql`insert into objects select * from jsonb_populate_recordset(null::objects, ${rows}::jsonb)`.execute(db)
  await sql`insert into fields select * from jsonb_populate_recordset(null::fields, ${fields}::jsonb)`.execute(db)
}

/** At startup, adds the objects to companies created by a version without them. */
export async function seedMissing(db: Db) {
  const { rows } = await sql<{ id: string }>`
    select c.id from companies c where not exists (select 1 from objects o where o.company_id = c.id)`.execute(db)
  for (const { id } of rows) await seedObjects(db, id)
}
