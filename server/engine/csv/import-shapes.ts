// How a file with these columns was imported last: the next one begins with the same settings, and so does the file of
// failed rows.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { forEachCompany } from '../../kernel/companies.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import type { Target } from '../schema/target.ts'
import type { ImportInput } from './import-input.ts'
import { faultOf, type IfMissing, isIgnored, targetOf } from './mapping.ts'

/** By column: where it goes and what is done with what is missing; null: it was left out. */
type Remembered = { field: string; if_missing: IfMissing } | null
type Settings = Pick<ImportInput, 'mode' | 'match_by' | 'empty_cells' | 'lists' | 'values'> & {
  columns: Record<string, Remembered>
}

const keptMs = 2 * 365 * dayMs

const shapeOf = (columns: string[]) =>
  createHash('sha256')
    .update(JSON.stringify(columns.filter((column) => !isIgnored(column)).toSorted()))
    .digest('base64url')
    .slice(0, 22)

/** Called by an import that writes. */
export function rememberShape(context: Context, object_id: string, input: ImportInput) {
  const { columns, mapping, mode, match_by, empty_cells, lists, values } = input
  const byIndex = new Map(mapping.map((mapped) => [mapped.index, mapped]))
  const rememberedAt = (index: number): Remembered => {
    const mapped = byIndex.get(index)
    return mapped ? { field: targetOf(mapped), if_missing: mapped.if_missing } : null
  }
  const settings: Settings = {
    mode,
    empty_cells,
    ...(match_by !== undefined && { match_by }),
    ...(lists !== undefined && { lists }),
    ...(values && { values }),
    columns: Object.fromEntries(columns.map((column, i) => [column, rememberedAt(i)])),
  }
  const { company_id } = actorOf(context)
  return sql`insert into import_shapes (company_id, object_id, shape, settings, used_at)
    values (${company_id}, ${object_id}, ${shapeOf(columns)}, ${JSON.stringify(settings)}, ${context.now})
    on conflict (company_id, object_id, shape) do update set settings = excluded.settings, used_at = excluded.used_at`.execute(
    context.db,
  )
}

/** Without the fields that are gone. */
export async function rememberedShape(target: Target, columns: string[]) {
  const { context, object } = target
  const { company_id } = actorOf(context)
  const { rows } = await sql<{ settings: Settings; used_at: Date }>`select settings, used_at from import_shapes
    where company_id = ${company_id} and object_id = ${object.id} and shape = ${shapeOf(columns)}`.execute(context.db)
  const [row] = rows
  if (!row) return undefined
  const entries = Object.entries(row.settings.columns).filter(([, one]) => one === null || !faultOf(target, one.field))
  return { ...row.settings, used_at: row.used_at, columns: new Map(entries) }
}

/** What the last file with these columns was imported into. */
export async function rememberedObject(context: Context, columns: string[]) {
  const { company_id } = actorOf(context)
  const { rows } = await sql<{ object_id: string }>`select object_id from import_shapes
    where company_id = ${company_id} and shape = ${shapeOf(columns)} order by used_at desc limit 1`.execute(context.db)
  return rows[0]?.object_id
}

export const pruneImportShapes = (db: Db, now: Date) =>
  forEachCompany(db, ({ id }) =>
    sql`delete from import_shapes where company_id = ${id} and used_at < ${new Date(now.getTime() - keptMs)}`.execute(
      db,
    ),
  )
