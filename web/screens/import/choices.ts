import { queryOptions, useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { comparedAs } from '../../../contract/built-in/compared.ts'
import type { CsvFormat } from '../../../contract/csv.ts'
import type { contract } from '../../../contract/index.ts'
import type { Input, Output } from '../../../contract/operation.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { importParts, originFieldsOf, skipRowField } from '../../../contract/shared/import-targets.ts'
import { api } from '../../client/api.ts'
import { jobsChanged } from '../../client/jobs.ts'
import { useSignedIn } from '../../client/session.ts'
import { isBuiltIn } from '../../records/data/built-in.ts'
import { useKept } from '../../records/data/kept.ts'
import { isDeals } from '../../records/data/pipelines.ts'
import { type FieldShape, type ObjectShape, useSchema } from '../../records/data/schema.ts'

export type Preview = Output<typeof contract.previewImport>
type ImportInput = Input<typeof contract.importRecords>
export type IfMissing = NonNullable<ImportInput['if_missing']>
export type OnDuplicate = NonNullable<ImportInput['on_duplicate']>
export type OnInvalid = NonNullable<ImportInput['on_invalid']>
export type Mode = NonNullable<ImportInput['mode']>

/** What the user decided about a file, where it differs from what was suggested. See matchingOf. */
export type Choices = {
  format: Partial<Omit<CsvFormat, 'kind' | 'sheet'>> & { sheet?: string }
  mapping: Record<string, string | null>
  /** By column. */
  missing: Record<string, IfMissing>
  /** What users and options are called here, by column. */
  values?: Record<string, Record<string, string>>
  mode?: Mode
  match_by?: string
  empty_cells?: 'keep' | 'clear'
  lists?: 'add' | 'replace'
  on_duplicate?: OnDuplicate
  on_invalid?: OnInvalid
}

export const noChoices: Choices = { format: {}, mapping: {}, missing: {} }

/** Kept in this tab, so that a reload loses nothing. */
export function useChoices(file: string | undefined) {
  const [choices, keep] = useKept<Choices>(`import.${file ?? 'none'}`, noChoices)
  return [choices, (patch: Partial<Choices>) => keep({ ...choices, ...patch })] as const
}

export const previewQuery = ({ key }: ObjectShape, file: string, { format }: Choices) =>
  queryOptions({
    queryKey: ['import preview', key, file, format],
    queryFn: () => api.previewImport({ object: key, file_id: file, format }),
    staleTime: Number.POSITIVE_INFINITY,
  })

const asField = (key: string, label: string, type: FieldShape['type'] = 'text') => ({ key, label, type }) as FieldShape
const recordId = asField('id', 'Record ID')
/** The server splits it into a first and a last name. */
const fullName = asField('title', 'Full name')

export const useImportFields = (object: ObjectShape) => useImportFieldsOf()(object)

/** What a column can be imported into. The record ID only finds existing records. */
export function useImportFieldsOf() {
  const objects = useSchema()
  const { may } = useSignedIn()
  const isAdmin = may('admin')
  return (object: ObjectShape) => importFieldsOf(object, objects, isAdmin)
}

function importFieldsOf(object: ObjectShape, objects: ObjectShape[], isAdmin: boolean): FieldShape[] {
  const { columns, fields } = object
  const builtIn = (name: string) => fields.find(({ key, built_in_key }) => (built_in_key ?? key) === name)
  const isPerson = builtIn('first_name') && builtIn('last_name')
  const status = isDeals(object) ? builtIn('status') : undefined
  return [
    ...(isPerson ? [fullName] : []),
    ...columns
      .filter(({ is_read_only }) => !is_read_only)
      .flatMap((field) => [
        field,
        ...importParts(field, objects).map(({ key, label }): FieldShape => {
          const linked = objects.find((one) => key === `${field.key}.${one.key}`)
          return linked ? { ...field, key, label, to_objects: [linked.key] } : asField(key, label)
        }),
      ]),
    ...(status ? [asField(status.key, status.label)] : []),
    ...(isAdmin
      ? originFieldsOf(isBuiltIn(object, 'tasks') ? builtIn('completed_at') : undefined).map(({ key, label }) =>
          asField(key, label, key === 'created_by' ? 'user' : 'text'),
        )
      : []),
    asField(skipRowField.key, skipRowField.label),
    recordId,
  ]
}

/** The field of a column: as chosen or, before that, as suggested. */
export const fieldOf = ({ mapping }: Choices, { column, field }: Preview['columns'][number]) =>
  column in mapping ? (mapping[column] ?? null) : field

export type MappedColumn = { column: string; field: FieldShape; if_missing: IfMissing | null }

export function mappedFields(all: FieldShape[], choices: Choices, preview: Preview) {
  const fields = new Map(all.map((field) => [field.key, field]))
  return preview.columns.flatMap((column): MappedColumn[] => {
    const field = fields.get(fieldOf(choices, column) ?? '')
    return field ? [{ column: column.column, field, if_missing: column.if_missing }] : []
  })
}

/** What can be missing for a value of this field, and so can be created. */
export const canBeMissing = ({ type }: FieldShape) =>
  type === 'relation' || type === 'select' || type === 'multi_select' || type === 'user'

/**
 * Creating is the most useful answer where it is allowed: the check shows what would be created. `among`: objects whose
 * records come from a file of their own. What is missing there has failed, and would be created a second time.
 */
export function useUsualMissing() {
  const { may } = useSignedIn()
  const objects = useSchema()
  return ({ type, to_objects }: FieldShape, among: string[] = []): IfMissing => {
    if (type === 'select' || type === 'multi_select') return may('objects.manage') ? 'create' : 'leave_empty'
    const [only, ...others] = to_objects ?? []
    const target = others.length ? undefined : objects.find(({ key }) => key === only)
    return type === 'relation' && target?.rights.create && !among.includes(target.key) ? 'create' : 'leave_empty'
  }
}

/** Existing records are found by a unique field that the file has, by their IDs or, failing that, by their names. */
export function matchFields(object: ObjectShape, mapped: MappedColumn[]) {
  const fields = new Map(mapped.map(({ field }) => [field.key, field]))
  const isPerson = fields.has('first_name') || fields.has('last_name') || fields.has(fullName.key)
  const title = object.titleField ? fields.get(object.titleField.key) : isPerson ? fullName : undefined
  const unique = [...fields.values()].filter(({ is_unique, key }) => is_unique || key === recordId.key)
  return title && !title.is_unique ? [...unique, title] : unique
}

export const valuesOf = ({ values }: Choices, { earlier }: Preview) => values ?? earlier?.values ?? {}

export type Known = { object: ObjectShape; choices: Choices; preview: Preview; mapped: MappedColumn[] }

/** What to do with rows of records that exist: as chosen, as in the earlier import or, for a file with IDs, an update. */
export function matchingOf({ object, choices, preview: { earlier }, mapped }: Known) {
  const fields = matchFields(object, mapped)
  const has = (key: string | null | undefined) => fields.some((field) => field.key === key)
  const isEarlier = earlier && earlier.mode !== 'create' && has(earlier.match_by) ? earlier : undefined
  // IDs of another system: its next export brings only what has changed.
  const oldId = fields.find(({ is_unique, is_built_in, type }) => is_unique && !is_built_in && type === 'text')
  // What was imported before, such as contacts, is there already.
  const again = earlier && fields.find(({ is_unique }) => is_unique)
  const usual: Mode = has(recordId.key) ? 'update' : (oldId ?? again) ? 'upsert' : 'create'
  const asked = choices.match_by ?? isEarlier?.match_by ?? (has(recordId.key) ? recordId.key : (oldId ?? again)?.key)
  return {
    fields,
    mode: choices.mode ?? isEarlier?.mode ?? usual,
    match_by: has(asked) ? asked! : fields[0]?.key,
    empty_cells: choices.empty_cells ?? isEarlier?.empty_cells ?? 'keep',
    lists: choices.lists ?? isEarlier?.lists ?? 'add',
  }
}

export const canHaveDuplicates = (object: ObjectShape) =>
  comparedAs(object.is_built_in ? (object.built_in_key ?? object.key) : undefined) !== undefined

/** New records get new IDs. */
const isUsable = ({ key }: FieldShape, mode: Mode, match_by: string | undefined) =>
  key !== recordId.key || (mode !== 'create' && match_by === recordId.key)

export function useImportInput() {
  const usualMissing = useUsualMissing()
  const fieldsOf = useImportFieldsOf()
  return (object: ObjectShape, file_id: string, choices: Choices, preview: Preview, among: string[] = []) => {
    const mapped = mappedFields(fieldsOf(object), choices, preview)
    const fields = new Map(mapped.map((one) => [one.column, one]))
    const { mode, match_by, empty_cells, lists } = matchingOf({ object, choices, preview, mapped })
    const into = (column: string) => {
      const { field, if_missing } = fields.get(column) ?? {}
      if (!field || !isUsable(field, mode, match_by)) return null
      if (!canBeMissing(field)) return field.key
      return { field: field.key, if_missing: choices.missing[column] ?? if_missing ?? usualMissing(field, among) }
    }
    return {
      object: object.key,
      file_id,
      format: choices.format,
      mapping: Object.fromEntries(preview.columns.map(({ column }) => [column, into(column)])),
      values: valuesOf(choices, preview),
      mode,
      on_invalid: choices.on_invalid ?? 'leave_out',
      ...(mode !== 'create' && match_by !== undefined && { match_by, empty_cells, lists }),
      ...(mode !== 'update' && canHaveDuplicates(object) && { on_duplicate: choices.on_duplicate ?? 'create' }),
    } satisfies ImportInput
  }
}

/** Checks the whole file in the background. */
export function useCheck(
  object: ObjectShape,
  file: string,
  choices: Choices,
  preview: Preview,
  onCheck: (job: string) => void,
) {
  const inputOf = useImportInput()
  return useMutation({
    mutationFn: () => api.importRecords({ ...inputOf(object, file, choices, preview), dry_run: true }),
    onSuccess: ({ job_id }) => {
      void jobsChanged()
      onCheck(job_id)
    },
  })
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
