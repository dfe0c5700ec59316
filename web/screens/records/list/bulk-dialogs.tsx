import { Checkbox, Select } from '@mantine/core'
import { useState } from 'react'
import { inSentence } from '../../../../contract/in-sentence.ts'
import { FieldEditor } from '../../../records/field-editor.tsx'
import type { ObjectShape } from '../../../records/schema.ts'
import { faultOf } from '../../../records/value-fault.ts'
import { isEmpty } from '../../../records/value-text.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import type { Bulk } from './use-bulk.ts'

type Props = { object: ObjectShape; count: string; bulk: Bulk }

/** One field of many records. That it is to be emptied must be said. */
export function BulkEdit({ object, count, bulk }: Props) {
  const [key, setKey] = useState<string | null>(null)
  const [value, setValue] = useState<unknown>(null)
  const [isEmptied, setEmptied] = useState(false)
  const [error, setError] = useState<string>()
  const field = key ? object.byKey.get(key) : undefined
  const fields = object.columns.filter((one) => !one.is_read_only && !one.is_unique)
  const submit = (event: { preventDefault: () => void }) => {
    event.preventDefault()
    if (!field) return setError('Choose a field')
    const fault = isEmptied ? undefined : isEmpty(value) ? 'Enter the new value' : faultOf(field, value)
    if (fault) return setError(fault)
    bulk.close()
    void bulk.edit({ [field.key]: isEmptied ? null : value })
  }
  return (
    <Dialog title={`Edit ${count} ${inSentence(object.label_plural)}`} onClose={bulk.close}>
      <DialogForm
        of={{ submit, failure: undefined, isPending: false }}
        action={field && isEmptied ? `Empty ${field.label}` : 'Save'}
        onCancel={bulk.close}
      >
        <Select
          label="Field"
          placeholder="Choose a field"
          searchable
          selectFirstOptionOnChange
          data-autofocus
          allowDeselect={false}
          withCheckIcon={false}
          error={field ? undefined : error}
          data={fields.map((one) => ({ value: one.key, label: one.label }))}
          value={key}
          onChange={(chosen) => {
            setKey(chosen)
            setValue(object.byKey.get(chosen ?? '')?.type === 'boolean' ? false : null)
            setEmptied(false)
            setError(undefined)
          }}
        />
        {field && !isEmptied && (
          <FieldEditor
            key={field.key}
            autoFocus
            field={{ ...field, label: 'New value' }}
            value={value}
            error={error}
            onChange={(next) => {
              setValue(next)
              setError(undefined)
            }}
          />
        )}
        {field && !field.is_required && field.type !== 'boolean' && (
          <Checkbox
            label="Empty the field"
            checked={isEmptied}
            onChange={(event) => {
              setEmptied(event.currentTarget.checked)
              setError(undefined)
            }}
          />
        )}
      </DialogForm>
    </Dialog>
  )
}

export const DeleteQuestion = ({ object, count, bulk }: Props) => (
  <Confirm
    title={`Delete ${count} ${inSentence(object.label_plural)}?`}
    action="Delete"
    act={async () => {
      bulk.close()
      await bulk.remove()
    }}
    onDone={() => {}}
    onClose={bulk.close}
  >
    They go to the trash, from where they can be restored.
  </Confirm>
)
