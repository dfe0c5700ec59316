// What the files of a move contain, before anything is decided.
import type { moves } from '../../../contract/moves.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { isInherited } from '../../../contract/shared/own.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { plain } from '../csv/headers.ts'
import { rememberedObject } from '../csv/import-shapes.ts'
import { inspect } from '../csv/inspect.ts'
import { decided } from '../csv/known-exports.ts'
import { readMapping } from '../csv/mapping.ts'
import { findOldIds } from '../csv/old-ids.ts'
import { surroundingsOf } from '../csv/place.ts'
import type { Row } from '../csv/rows.ts'
import { type Reading, sourceOf } from '../csv/sources.ts'
import { suggestFields } from '../csv/suggest-fields.ts'
import { commonSystem, systemOf } from '../csv/systems.ts'
import { rightsFor } from '../rights/rights.ts'
import { type Schema, schemaOf } from '../schema/schema.ts'
import { detectObject } from './detect-object.ts'
import { inOrder } from './order.ts'

type Plan = Output<typeof moves.planMove>
type Planned = Plan['files'][number] & {
  mapping: { key: string; part?: string }[]
  columns: string[]
  users: Plan['users']
}

export const planMove =
  (reading: Reading) =>
  async (context: Context, { file_ids }: Parsed<typeof moves.planMove>): Promise<Plan> => {
    const schema = await schemaOf(context.db, actorOf(context))
    const planned: Planned[] = []
    // One after the other: a workbook is unpacked in memory.
    for (const file_id of new Set(file_ids)) planned.push(await planFile(reading, context, schema, file_id))
    const known = planned.filter(({ object }) => object !== null)
    const ordered = inOrder(schema, known as (Planned & { object: string })[])
    return {
      system: commonSystem(planned.map(({ columns }) => systemOf(columns))),
      files: [...ordered, ...planned.filter(({ object }) => object === null)].map(
        ({ mapping: _, columns: __, users: ___, ...file }) => file,
      ),
      users: Object.assign({}, ...planned.map(({ users }) => users)),
    }
  }

async function planFile(reading: Reading, context: Context, schema: Schema, file_id: string): Promise<Planned> {
  const nothing = { file_id, rows: 0, is_exact: true, object: null, old_ids: null, mapping: [], columns: [], users: {} }
  try {
    const source = await sourceOf(reading, context, { file_id })
    const { columns, sample, rows, isExact } = await inspect(source, undefined, schema)
    const file = { ...nothing, file_name: source.name, rows, is_exact: isExact, columns }
    const cells = columns.map((_, i) => sample.map((row) => row.cells[i] ?? ''))
    const users = usersIn(columns, sample)
    if (users)
      return {
        ...file,
        users,
        note: 'A list of users. It says who owns the records in the other files, and creates nothing itself.',
      }
    const actor = actorOf(context)
    const objects = [...schema.objects.values()].filter(({ archived_at }) => !archived_at)
    const writable = objects.filter(({ key }) => rightsFor(actor, key).create)
    const around = await surroundingsOf({ context }, { columns, sample })
    const place = { ...around, objects: [...schema.objects.values()] }
    const decision = place.known && decided(place.known, source.name, columns, cells)
    // The same columns may have records of another kind this time.
    const earlier = decision?.isDecided ? undefined : await rememberedObject(context, columns)
    const object =
      writable.find(({ id }) => id === earlier) ??
      writable.find(({ built_in_key }) => built_in_key !== null && built_in_key === decision?.object) ??
      detectObject(place, writable, { name: source.name, columns, cells })
    if (!object)
      return { ...file, note: 'The columns match none of your kinds of records. Choose one, or leave it out.' }
    const here = { ...place, object }
    const suggested = suggestFields(here, columns, cells)
    const given = Object.fromEntries(columns.map((column, i) => [column, suggested[i]!.field]))
    const isAny = suggested.some(({ field }) => field !== null)
    return {
      ...file,
      object: object.key,
      note: object.built_in_key === decision?.object ? (decision?.note ?? null) : null,
      old_ids: findOldIds(here, columns, cells),
      mapping: isAny ? readMapping({ context, schema, object }, columns, given, 'leave_empty') : [],
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...nothing, file_name: '', note: error.message }
  }
}

/** The rows of a file of users are no records: they say who the IDs of owners belong to. */
function usersIn(columns: string[], sample: Row[]): Plan['users'] | undefined {
  const at = (...names: string[]) => columns.findIndex((column) => names.includes(plain(column)))
  const [id, address] = [at('id', 'userid'), at('email', 'emailaddress')]
  if (id < 0 || address < 0 || at('username', 'profileid', 'isactive') < 0) return undefined
  const entries = sample.map(({ cells }) => [(cells[id] ?? '').trim(), (cells[address] ?? '').trim()] as const)
  return Object.fromEntries(entries.filter(([key, value]) => key && value && !isInherited(key)))
}
