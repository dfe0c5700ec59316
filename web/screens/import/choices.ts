import { getRouteApi } from '@tanstack/react-router'
import type { CsvFormat } from '../../../contract/csv.ts'
import type { contract } from '../../../contract/index.ts'
import type { Input, Output } from '../../../contract/operation.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { useSignedIn } from '../../client/session.ts'
import { useKept } from '../../records/data/kept.ts'
import { type FieldShape, type ObjectShape, useSchema } from '../../records/data/schema.ts'

export type Preview = Output<typeof contract.previewImport>
type ImportInput = Input<typeof contract.importRecords>
export type IfMissing = NonNullable<ImportInput['if_missing']>
export type Mode = NonNullable<ImportInput['mode']>

/** What the user decided about a file, where it differs from what was suggested. */
export type Choices = {
  format: Partial<Omit<CsvFormat, 'kind' | 'sheet'>> & { sheet?: string }
  mapping: Record<string, string | null>
  /** By column. */
  missing: Record<string, IfMissing>
  /** Without a choice: records whose IDs are in the file are updated, all others are new. */
  mode?: Mode
  match_by?: string
  empty_cells: 'keep' | 'clear'
  lists?: 'add' | 'replace'
}

const initial: Choices = { format: {}, mapping: {}, missing: {}, empty_cells: 'keep' }

/** Kept in this tab, so that a reload loses nothing. */
export function useChoices(file: string | undefined) {
  const [choices, keep] = useKept<Choices>(`import.${file ?? 'none'}`, initial)
  return [choices, (patch: Partial<Choices>) => keep({ ...choices, ...patch })] as const
}

const asField = (key: string, label: string) => ({ key, label, type: 'text' }) as FieldShape
const recordId = asField('id', 'Record ID')
/** The server splits it into a first and a last name. */
const fullName = asField('title', 'Full name')

/** Fields that a column can be imported into. The record ID only finds existing records. */
export function importFields({ columns, fields }: ObjectShape) {
  // The key in the documentation is only given where the company has another one.
  const has = (name: string) => fields.some(({ key, built_in_key }) => (built_in_key ?? key) === name)
  const isPerson = has('first_name') && has('last_name')
  return [...(isPerson ? [fullName] : []), ...columns.filter(({ is_read_only }) => !is_read_only), recordId]
}

/** The field of a column: as chosen or, before that, as suggested. */
export const fieldOf = ({ mapping }: Choices, { column, field }: Preview['columns'][number]) =>
  column in mapping ? (mapping[column] ?? null) : field

export function mappedFields(object: ObjectShape, choices: Choices, preview: Preview) {
  const fields = new Map(importFields(object).map((field) => [field.key, field]))
  return preview.columns.flatMap((column) => {
    const field = fields.get(fieldOf(choices, column) ?? '')
    return field ? [{ column: column.column, field }] : []
  })
}

/** What can be missing for a value of this field, and so can be created. */
export const canBeMissing = ({ type }: FieldShape) =>
  type === 'relation' || type === 'select' || type === 'multi_select' || type === 'user'

/** Creating is the most useful answer where it is allowed: the check shows what would be created. */
export function useUsualMissing() {
  const { may } = useSignedIn()
  const objects = useSchema()
  return ({ type, to_objects }: FieldShape): IfMissing => {
    if (type === 'select' || type === 'multi_select') return may('objects.manage') ? 'create' : 'leave_empty'
    const [only, ...others] = to_objects ?? []
    const target = others.length ? undefined : objects.find(({ key }) => key === only)
    return type === 'relation' && target?.rights.create ? 'create' : 'leave_empty'
  }
}

/** Existing records are found by a unique field that the file has, or by their IDs. */
export const matchFields = (mapped: { field: FieldShape }[]) => [
  ...new Map(
    mapped.filter(({ field }) => field.is_unique || field.key === recordId.key).map(({ field }) => [field.key, field]),
  ).values(),
]

export const modeOf = ({ mode }: Choices, mapped: { field: FieldShape }[]): Mode =>
  mode ?? (mapped.some(({ field }) => field.key === recordId.key) ? 'update' : 'create')

/** New records get new IDs. */
const isUsable = ({ key }: FieldShape, mode: Mode, match_by: string | undefined) =>
  key !== recordId.key || (mode !== 'create' && match_by === recordId.key)

export function useImportInput() {
  const usualMissing = useUsualMissing()
  return (object: ObjectShape, file_id: string, choices: Choices, preview: Preview): ImportInput => {
    const mapped = mappedFields(object, choices, preview)
    const fields = new Map(mapped.map(({ column, field }) => [column, field]))
    const mode = modeOf(choices, mapped)
    const match_by = choices.match_by ?? matchFields(mapped)[0]?.key
    const into = (column: string) => {
      const field = fields.get(column)
      if (!field || !isUsable(field, mode, match_by)) return null
      if (!canBeMissing(field)) return field.key
      return { field: field.key, if_missing: choices.missing[column] ?? usualMissing(field) }
    }
    return {
      object: object.key,
      file_id,
      format: choices.format,
      mapping: Object.fromEntries(preview.columns.map(({ column }) => [column, into(column)])),
      mode,
      ...(mode !== 'create' && { match_by, empty_cells: choices.empty_cells, lists: choices.lists ?? 'add' }),
    }
  }
}

/** How far the import is, as the address has it: a reload, or the browser's back button, lands on the same step. */
export type ImportSearch = {
  /** The uploaded file. */
  file?: string
  step?: 'matching'
  /** The job that checks the file. */
  check?: string
  /** The job that imports it. */
  job?: string
}

export const steps = ['File', 'Columns', 'Matching', 'Check', 'Import'] as const

export function stepOf({ file, step, check, job }: ImportSearch) {
  if (job) return 4
  if (!file) return 0
  return check ? 3 : step === 'matching' ? 2 : 1
}

export function readImportSearch({ file, step, check, job }: Record<string, unknown>): ImportSearch {
  const id = (value: unknown) => (isId(String(value)) ? String(value) : undefined)
  const read = { file: id(file), step: step === 'matching' ? 'matching' : undefined, check: id(check), job: id(job) }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

const route = getRouteApi('/frame/import/$object')

export function useImportSearch() {
  const search = readImportSearch(route.useSearch())
  const navigate = route.useNavigate()
  const go = (next: ImportSearch) => void navigate({ search: readImportSearch(next) })
  return [search, go] as const
}
