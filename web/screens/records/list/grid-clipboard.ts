import { notifications } from '@mantine/notifications'
import { useSignedIn } from '../../../client/session.ts'
import { type Pasted, readPasted } from '../../../records/editors/read-pasted.ts'
import type { RecordShape } from '../../../records/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/schema.ts'
import type { Editing } from '../../../records/use-field-edit.ts'
import { type Money, textOf } from '../../../records/value-text.ts'
import { copyText } from '../../../ui/copy-text.ts'
import { valueIn } from './list-columns.ts'
import { cellId } from './use-active.ts'

/** Copies what a cell shows: users and related records by their names. */
export function copyCell(object: ObjectShape, column: FieldShape, record: RecordShape) {
  const cell = document.getElementById(cellId({ id: record.id, key: column.key }))
  const names = [...(cell?.querySelectorAll('[dir="auto"]') ?? [])].map(({ textContent }) => textContent)
  const isNamed = column.type === 'user' || column.type === 'relation'
  void copyText(isNamed ? names.join(', ') : textOf(column, valueIn(object, column, record)))
}

/** `field`: what is edited in the column; nothing: it cannot be edited here. */
type Place = { record: RecordShape; column: FieldShape; field: FieldShape | undefined }

/** A pasted text is as good as typed and entered; what does not fit is said, and a text stays to be corrected. */
export function usePaste(editing: Editing) {
  const { me, company } = useSignedIn()
  return async ({ record, column, field }: Place, text: string) => {
    if (!field) return refuse(column, 'This cannot be changed here')
    const now = record[field.key]
    const read = await readPasted(field, text, {
      language: me.language ?? company.language,
      zone: me.time_zone ?? company.time_zone,
      currency: (field.type === 'money' && (now as Money | null)?.currency) || company.currency,
    }).catch((): Pasted => ({ fault: 'The server was not reached. Paste again.' }))
    if (read.fault === undefined) editing.save(record, field, read.value)
    else if (chosen.has(field.type)) refuse(field, read.fault)
    else editing.beginRefused(record, field, text.trim(), read.fault)
  }
}

/** They are chosen rather than written: there is no text to correct. */
const chosen = new Set<FieldShape['type']>(['boolean', 'select', 'multi_select', 'user', 'relation'])

const refuse = ({ label }: FieldShape, message: string) => {
  notifications.show({
    title: `${label} was not pasted`,
    message,
    color: 'red',
    autoClose: 10_000,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  })
}
