import { mostRecords } from '../../../../contract/records.ts'
import { queryClient } from '../../../client/queries.ts'
import { useSignedIn } from '../../../client/session.ts'
import { plain } from '../../../records/data/record-cache.ts'
import { idOf, type RecordShape, relatedIn, titledIn, titleQuery } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { useUpdateRecords, type Values } from '../../../records/data/update-record.ts'
import { counted, isEmpty, type Money, textOf } from '../../../records/data/value-text.ts'
import { type Pasted, readPasted } from '../../../records/fields/read-pasted.ts'
import type { Editing } from '../../../records/fields/use-field-edit.ts'
import { editedIn, valueIn } from '../../../records/lists/use-columns.ts'
import { notify } from '../../../ui/basics/notices.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import { knownUsersQuery, userQuery } from '../../../users/users.ts'

type Target = { records: RecordShape[]; columns: FieldShape[] }

type Skipped = { column: string; reason: string }

/** Fills cells to the right of and below the first one, in one change. Cells that cannot take their text are skipped. */
export function usePasteBlock(object: ObjectShape) {
  const { me, company } = useSignedIn()
  const { mutate } = useUpdateRecords(object.key, (updates) => {
    const cells = updates.reduce((sum, { values }) => sum + Object.keys(values).length, 0)
    return `Pasted ${cells === 1 ? '1 cell' : `${cells} cells`} into ${counted(updates.length, object)}.`
  })
  const { mayEdit } = useRights(object)
  const readCell = async (record: RecordShape, column: FieldShape, text: string): Promise<Pasted> => {
    const field = editedIn(object, column)
    if (!field) return { fault: 'This field is read-only' }
    if (!mayEdit(record)) return { fault: `Your role does not let you edit ${String(record.title)}` }
    if (!text.trim()) return field.is_required ? { fault: 'This is required' } : { value: null }
    const now = valueIn(object, column, record) as Money | null
    return readPasted(field, text, {
      language: me.language ?? company.language,
      zone: me.time_zone ?? company.time_zone,
      currency: (field.type === 'money' && now?.currency) || company.currency,
    }).catch((): Pasted => ({ fault: 'The server could not be reached' }))
  }

  return async (cells: string[][], { records, columns }: Target) => {
    const skipped: Skipped[] = []
    const fitting = cells.slice(0, Math.min(records.length, mostRecords))
    const beyond = Math.max(0, cells.length - records.length)
    const tooMany = cells.length - beyond - fitting.length
    const updates = await Promise.all(
      fitting.map(async (row, i) => {
        const record = records[i]!
        const values: Values = {}
        await Promise.all(
          row.slice(0, columns.length).map(async (text, j) => {
            const column = columns[j]!
            const read = await readCell(record, column, text)
            if (read.fault !== undefined) skipped.push({ column: column.label, reason: read.fault })
            else if (!isSame(valueIn(object, column, record), read.value))
              values[editedIn(object, column)!.key] = isEmpty(read.value) ? null : read.value
          }),
        )
        return { id: record.id, values }
      }),
    )
    const changed = updates.filter(({ values }) => Object.keys(values).length)
    if (changed.length) mutate(changed)
    const cut = cells.reduce((sum, row) => sum + Math.max(0, row.length - columns.length), 0)
    report(skipped, beyond, cut, tooMany)
  }
}

const isSame = (a: unknown, b: unknown) =>
  JSON.stringify(isEmpty(a) ? null : plain(a)) === JSON.stringify(isEmpty(b) ? null : plain(b))

const mostReasons = 3

const rowCount = (count: number) => (count === 1 ? '1 row' : `${count} rows`)

function report(skipped: Skipped[], rows: number, cut: number, tooMany: number) {
  const reasons = [...new Set(skipped.map(({ column, reason }) => `${column}: ${reason}`))]
  const lines = [
    ...reasons.slice(0, mostReasons),
    ...(reasons.length > mostReasons ? [`and ${reasons.length - mostReasons} more`] : []),
    ...(rows ? [`${rowCount(rows)} beyond the end of the list`] : []),
    ...(tooMany ? [`${rowCount(tooMany)} after the first ${mostRecords}: paste them separately`] : []),
    ...(cut ? [`${cut === 1 ? '1 cell' : `${cut} cells`} beyond the last column`] : []),
  ]
  if (!lines.length) return
  const count = skipped.length
  notify({
    title: count ? `${count === 1 ? '1 cell was' : `${count} cells were`} skipped` : 'Not everything was pasted',
    message: `${lines.join('. ')}.`,
    color: 'yellow',
    autoClose: 15_000,
  })
}

/** What a cell shows: users and related records by their names, which the app knows by the time they are shown. */
export function cellText(object: ObjectShape, column: FieldShape, record: RecordShape) {
  const value = valueIn(object, column, record)
  if (isEmpty(value)) return ''
  if (column.type === 'user') return userName(String(value))
  // A number is read again as one, without a sign behind it.
  if (column.type === 'number' && typeof value === 'number') return asNumber(value)
  if (column.type !== 'relation') return textOf(column, value)
  const titles = relatedIn(value).map((related) => (titledIn(related, column) ?? titled(idOf(related)))?.title)
  return titles.filter(Boolean).join(', ')
}

const userName = (id: string) =>
  queryClient.getQueryData(knownUsersQuery.queryKey)?.get(id)?.name ??
  queryClient.getQueryData(userQuery(id).queryKey)?.name ??
  ''

const titled = (id: string) => queryClient.getQueryData(titleQuery(id).queryKey)

/** `field`: what is edited in the column; nothing: it cannot be edited here. */
type Place = { record: RecordShape; column: FieldShape; field: FieldShape | undefined }

/** A pasted text is as good as typed and entered; what does not fit is said, and a text stays to be corrected. */
export function usePaste(editing: Editing) {
  const { me, company } = useSignedIn()
  return async ({ record, column, field }: Place, text: string) => {
    if (!field) return refuse(column, 'This cannot be changed here')
    const now = record[field.key]
    const currency = (field.type === 'money' && (now as Money | null)?.currency) || company.currency
    const read = await readPasted(field, text, {
      language: me.language ?? company.language,
      zone: me.time_zone ?? company.time_zone,
      currency,
    }).catch((): Pasted => ({ fault: 'The server was not reached. Paste again.' }))
    if (read.fault === undefined) editing.save(record, field, read.value)
    else if (chosen.has(field.type)) refuse(field, read.fault)
    else editing.beginRefused(record, field, text.trim(), currency, read.fault)
  }
}

/** They are chosen rather than written: there is no text to correct. */
const chosen = new Set<FieldShape['type']>(['boolean', 'select', 'multi_select', 'user', 'relation'])

const refuse = ({ label }: FieldShape, message: string) => {
  notify({
    title: `${label} was not pasted`,
    message,
    color: 'red',
    autoClose: 10_000,
  })
}
