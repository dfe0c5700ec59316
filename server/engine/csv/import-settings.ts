// The settings of an import, checked against its file before its rows are read.
import type { Unsure } from '../../../contract/csv.ts'
import { own } from '../../../contract/shared/own.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import { uniqueField } from '../read/by-unique.ts'
import type { Target } from '../schema/target.ts'
import { unsureIn } from './ambiguities.ts'
import { type ImportInput, type ImportRequest, writableTarget } from './import-input.ts'
import { isByTitle } from './import-match.ts'
import { type Inspected, inspect } from './inspect.ts'
import { fieldCalled, type GivenMapping, type Mapped, readMapping, titleKeys } from './mapping.ts'
import { placeOf } from './place.ts'
import { type Reading, sourceOf } from './sources.ts'
import { isReadOnly, suggestFields } from './suggest-fields.ts'
import type { Place } from './targets.ts'

export type FileRequest = Omit<ImportRequest, 'dry_run' | 'check_id'>
type CheckedFile = {
  object_id: string
  rows: number
  unsure: Unsure[]
  input: Omit<ImportInput, 'file_id' | 'dry_run'>
}

export async function checkedFile(reading: Reading, context: Context, asked: FileRequest): Promise<CheckedFile> {
  const { mode, match_by, empty_cells, on_invalid, lists, values, on_duplicate } = asked
  const target = await writableTarget(context, asked.object, mode)
  const source = await sourceOf(reading, context, asked, asked.format)
  const inspected = await inspect(source, asked.format, target.schema)
  const { format, columns, rows } = inspected
  const place = await placeOf(target, inspected)
  const given = completed(target, place, inspected, mode, (asked.mapping ?? {}) as GivenMapping)
  const mapping = readMapping(target, columns, given, asked.if_missing)
  checkMatch(target, asked, mapping)
  const input = {
    file_name: source.name,
    format,
    columns,
    mapping,
    mode,
    empty_cells,
    on_invalid,
    ...(match_by !== undefined && { match_by }),
    ...(lists !== undefined && { lists }),
    ...(values && { values }),
    ...(on_duplicate !== undefined && { on_duplicate }),
  }
  return { object_id: target.object.id, rows, unsure: unsureIn(target.object, inspected, mapping), input }
}

/** What a call leaves open goes by the headers only: what a column contains is shown as a suggestion first. */
function completed(
  target: Target,
  place: Place,
  { columns, sample }: Pick<Inspected, 'columns' | 'sample'>,
  mode: ImportRequest['mode'],
  given: GivenMapping,
): GivenMapping {
  const { object } = target
  const open = columns.filter((column) => own(given, column) === undefined)
  // Only its cells show which system an ID is of.
  const cellsOf = (column: string) =>
    /ids?$/i.test(column) ? sample.map(({ cells }) => cells[columns.indexOf(column)] ?? '') : []
  const suggested = suggestFields(place, open, open.map(cellsOf))
  const taken = new Set(Object.values(given).map((target) => (typeof target === 'object' ? target?.field : target)))
  const isFree = (field: string) => !taken.has(field) || fieldCalled(object, field.split('.')[0]!)?.is_multi
  // New records get new ids.
  const isUsable = (field: string | null) => field !== null && isFree(field) && !(field === 'id' && mode === 'create')
  const unknown = open.filter(
    (column, i) => suggested[i]!.field === null && suggested[i]!.is_lost && !isReadOnly(object, column),
  )
  if (!unknown.length)
    return {
      ...given,
      ...Object.fromEntries(
        open.map((column, i) => [column, isUsable(suggested[i]!.field) ? suggested[i]!.field : null]),
      ),
    }
  const list = unknown.slice(0, 10).join(', ')
  throw new AppError(
    'invalid_input',
    `No field of ${object.key} matches these columns: ${list}. Map them, or map them to null to skip them. Columns not in the mapping are matched by name.`,
    {
      errors: unknown.slice(0, 100).map((column) => ({ path: `mapping.${column}`, message: 'Field not found' })),
    },
  )
}

function checkMatch(target: Target, { mode, match_by, lists, on_duplicate }: FileRequest, mapping: Mapped[]) {
  if (mode === 'update' && on_duplicate !== undefined)
    throw refused('on_duplicate', 'on_duplicate requires the mode create or upsert, because update creates no records')
  const isMapped = (key: string) => mapping.some((mapped) => mapped.key === key)
  if (mode === 'create') {
    if (match_by !== undefined) throw refused('match_by', 'match_by requires the mode update or upsert')
    if (lists !== undefined) throw refused('lists', 'lists requires the mode update or upsert')
    if (isMapped('id'))
      throw refused('mapping', 'New records get new IDs. Leave out the column id, or use the mode update')
    return
  }
  if (match_by === undefined)
    throw refused('match_by', `The mode ${mode} needs match_by: id or a unique field, such as ${uniqueKeys(target)}`)
  const isTitle = isByTitle(target, { match_by })
  if (match_by !== 'id' && !isTitle) uniqueField(target, match_by, 'match_by')
  const isMatched = isTitle ? [match_by, ...titleKeys(target.object)].some(isMapped) : isMapped(match_by)
  if (!isMatched) throw refused('match_by', `Map a column to ${match_by}, the field in match_by`)
  if (match_by !== 'id' && isMapped('id')) throw refused('mapping', 'Leave out the column id, or use match_by id')
}

const uniqueKeys = ({ object }: Target) =>
  object.fields
    .filter(({ is_unique }) => is_unique)
    .map(({ key }) => key)
    .join(', ') || 'id'
