import { notifications } from '@mantine/notifications'
import { type Pasted, readPasted } from '../../../records/editors/read-pasted.ts'
import type { RecordShape } from '../../../records/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/schema.ts'
import type { Money } from '../../../records/value-text.ts'
import { useSignedIn } from '../../../session.ts'
import { useRights } from '../record/rights.ts'
import { editedIn, valueIn } from './list-columns.ts'
import type { Editing } from './use-editing.ts'

/** A pasted text is as good as typed and entered; what does not fit is said, and a text stays to be corrected. */
export function usePaste(object: ObjectShape, editing: Editing) {
  const { me, company } = useSignedIn()
  const { mayEdit } = useRights(object)
  return async (record: RecordShape, column: FieldShape, text: string) => {
    const field = editedIn(object, column)
    if (!field) return refuse(column, 'This field is read-only')
    if (!mayEdit(record)) return refuse(column, `Your role does not let you edit ${String(record.title)}`)
    const now = valueIn(object, column, record)
    const read = await readPasted(field, text, {
      language: me.language ?? company.language,
      zone: me.time_zone ?? company.time_zone,
      currency: (field.type === 'money' && (now as Money | null)?.currency) || company.currency,
    }).catch((): Pasted => ({ fault: 'The server was not reached. Paste again.' }))
    if (read.fault === undefined) editing.save(record, column, read.value)
    else if (chosen.has(field.type)) refuse(field, read.fault)
    else editing.beginRefused(record, column, text.trim(), read.fault)
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
