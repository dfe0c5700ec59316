// What is done to several cells at once: copying them, filling them from the first row, clearing them. One change, one undo.
import { mostBulkIds, mostRecords } from '../../../../contract/records.ts'
import { api } from '../../../client/api.ts'
import { jobStarted } from '../../../client/jobs.ts'
import { plain } from '../../../records/data/record-cache.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { useUpdateRecords, type Values } from '../../../records/data/update-record.ts'
import { counted, isEmpty } from '../../../records/data/value-text.ts'
import { editedIn } from '../../../records/lists/use-columns.ts'
import { complain, notify } from '../../../ui/basics/notices.tsx'
import { copyText } from '../../../ui/text/code.tsx'
import { cellText } from './paste-block.ts'

export type Block = { records: RecordShape[]; columns: FieldShape[] }

/** As spreadsheets read it: a table, and text with tabs. */
export async function copyBlock(object: ObjectShape, { records, columns }: Block) {
  const cells = records.map((record) => columns.map((column) => cellText(object, column, record)))
  const text = cells.map((row) => row.map(quoted).join('\t')).join('\n')
  try {
    const rows = cells.map((row) => `<tr>${row.map((one) => `<td>${escaped(one)}</td>`).join('')}</tr>`)
    const html = new Blob([`<table>${rows.join('')}</table>`], { type: 'text/html' })
    const item = new ClipboardItem({ 'text/html': html, 'text/plain': new Blob([text], { type: 'text/plain' }) })
    await navigator.clipboard.write([item])
  } catch {
    await copyText(text)
  }
}

const quoted = (text: string) => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export function useRangeEdits(object: ObjectShape) {
  const { mayEdit } = useRights(object)
  const filled = useUpdateRecords(object.key, (updates) => `Filled cells in ${counted(updates.length, object)}.`)
  const cleared = useUpdateRecords(object.key, (updates) => `Cleared cells in ${counted(updates.length, object)}.`)

  /** The same values for all of these: in one call, or in a job. */
  const set = (records: RecordShape[], values: Values, mutate: typeof filled.mutate) => {
    const open = records.filter(mayEdit)
    const ids = open.filter((record) => !isSame(record, values)).map(({ id }) => id)
    if (records.length > open.length) skip(`${counted(records.length - open.length, object)} that you cannot edit`)
    if (!ids.length || !Object.keys(values).length) return
    if (ids.length <= mostRecords) return mutate(ids.map((id) => ({ id, values })))
    const job = api.bulkUpdateRecords({ object: object.key, ids: ids.slice(0, mostBulkIds), values })
    job.then(({ job_id }) => job_id && jobStarted(job_id)).catch((error) => complain('This was not saved', error))
  }

  /** The first of the records is what the others become. */
  const fill = ({ records: [first, ...others], columns }: Block) => {
    if (!first || !others.length) return
    const values = editable(columns).map((field) => [field.key, plain(first[field.key]) ?? null])
    set(others, Object.fromEntries(values), filled.mutate)
  }
  const clear = ({ records, columns }: Block) => {
    const fields = editable(columns).filter(({ is_required }) => !is_required)
    const values = Object.fromEntries(fields.map((field) => [field.key, field.type === 'boolean' ? false : null]))
    set(records, values, cleared.mutate)
  }
  /** A value that must be unique is not for several records. */
  const editable = (columns: FieldShape[]) => {
    const open = (column: FieldShape) => [editedIn(object, column) ?? []].flat().filter(({ is_unique }) => !is_unique)
    const closed = columns.filter((column) => !open(column).length)
    if (closed.length) skip(closed.map(({ label }) => label).join(', '))
    return columns.flatMap(open)
  }
  return { fill, clear }
}

const isSame = (record: RecordShape, values: Values) =>
  Object.entries(values).every(([key, value]) => {
    const now = plain(record[key])
    return isEmpty(now) ? isEmpty(value) : JSON.stringify(now) === JSON.stringify(value)
  })

const skip = (what: string) =>
  notify({
    message: `Skipped: ${what}.`,
    color: 'yellow',
    autoClose: 8000,
  })
