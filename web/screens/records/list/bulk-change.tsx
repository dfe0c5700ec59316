import { ActionIcon, SegmentedControl, Select } from '@mantine/core'
import { X } from 'lucide-react'
import { FieldEditor } from '../../../records/field-editor.tsx'
import type { FieldShape } from '../../../records/schema.ts'
import css from './bulk.module.css'
import { type Change, changeOf, type How, waysOf } from './bulk-changes.ts'

type Props = {
  of: Change
  /** Those that no other change is about. */
  fields: FieldShape[]
  error: string | undefined
  onChange: (change: Change) => void
  /** Not for the only one. */
  onRemove: (() => void) | undefined
}

/** One field, and what is to happen to it. */
export function BulkChange({ of: change, fields, error, onChange, onRemove }: Props) {
  const { field, how, value } = change
  const ways = field ? waysOf(field) : []
  return (
    <fieldset className={css.change} aria-label={field ? `Change of ${field.label}` : 'Change'}>
      <div className={css.field}>
        <Select
          label="Field"
          placeholder="Choose a field"
          searchable
          selectFirstOptionOnChange
          data-autofocus
          autoFocus={onRemove !== undefined && !field}
          allowDeselect={false}
          withCheckIcon={false}
          nothingFoundMessage="No field has this name"
          error={field ? undefined : error}
          data={fields.map((one) => ({ value: one.key, label: one.label }))}
          value={field?.key ?? null}
          onChange={(key) => {
            const chosen = fields.find((one) => one.key === key)
            if (chosen) onChange(changeOf(change.id, chosen))
          }}
        />
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={`Leave ${field?.label ?? 'this field'} as it is`}
            onClick={onRemove}
          >
            <X size={15} aria-hidden="true" />
          </ActionIcon>
        )}
      </div>
      {field && ways.length > 1 && (
        <SegmentedControl
          size="xs"
          aria-label={`What to do with ${field.label}`}
          data={ways}
          value={how}
          onChange={(next) => onChange({ ...change, how: next as How })}
        />
      )}
      {field && how !== 'clear' && (
        <FieldEditor
          key={field.key}
          autoFocus
          field={{
            ...field,
            label: how === 'set' ? 'New value' : how === 'add' ? 'Values to add' : 'Values to remove',
          }}
          value={value}
          error={error}
          onChange={(next) => onChange({ ...change, value: next })}
        />
      )}
    </fieldset>
  )
}
