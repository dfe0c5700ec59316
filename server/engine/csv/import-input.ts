// What an import works with, once its file and its settings have been checked.

import type { CsvFormat, csvOperations } from '../../../contract/csv.ts'
import type { Parsed } from '../../../contract/operation.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { dayMs } from '../../platform/times.ts'
import { findObject, refuse, rightsFor } from '../rights/rights.ts'
import { schemaOf } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { type Mapped, targetOf } from './mapping.ts'

export type ImportRequest = Parsed<typeof csvOperations.importRecords>
export type ImportInput = Pick<
  ImportRequest,
  'mode' | 'match_by' | 'empty_cells' | 'on_invalid' | 'lists' | 'values' | 'on_duplicate' | 'dry_run'
> & {
  file_id: string
  file_name: string
  format: CsvFormat
  /** Every column of the file. */
  columns: string[]
  mapping: Mapped[]
}

/** How long a file is kept after its import. */
export const keptMs = 7 * dayMs
/** What the caller learns about it. */
export const answerOf = ({ file_id, format, columns, mapping, dry_run }: ImportInput) => {
  const keys = new Map(mapping.map((mapped) => [mapped.index, targetOf(mapped)]))
  return {
    file_id,
    format,
    mapping: Object.fromEntries(columns.map((column, i) => [column, keys.get(i) ?? null])),
    dry_run,
  }
}

/** Refuses callers who may not import in this mode; called again before each step. */
export async function writableTarget(context: Context, key: string, mode: ImportRequest['mode']): Promise<Target> {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const object = findObject(schema, actor, key)
  const rights = rightsFor(actor, key)
  if (mode !== 'update' && !rights.create) throw refuse(actor, 'create', object)
  if (mode === 'update' && rights.edit === 'none') throw refuse(actor, 'change', object)
  return { context, schema, object }
}
