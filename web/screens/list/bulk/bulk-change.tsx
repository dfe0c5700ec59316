import { SegmentedControl, Select } from '@mantine/core'
import { X } from 'lucide-react'
import { ApiError } from '../../../client/api.ts'
import { plain } from '../../../records/data/record-cache.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import type { Values } from '../../../records/data/update-record.ts'
import { isEmpty } from '../../../records/data/value-text.ts'
import { FieldEditor } from '../../../records/fields/field-editor.tsx'
import { faultOf } from '../../../records/fields/value-fault.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import css from './bulk.module.css'

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
          data-autofocus={!change.field || undefined}
          autoFocus={onRemove !== undefined && !field}
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
          <IconButton
            icon={X}
            label={`Remove ${field?.label ?? 'this field'} from this edit`}
            size={34}
            onClick={onRemove}
          />
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

type How = 'set' | 'add' | 'remove' | 'clear'
/** A change to one field of many records. Without a field, none has been chosen yet. */
export type Change = { id: number; field?: FieldShape; how: How; value: unknown }

/** A unique value cannot be given to several records. */
export const editableFields = (object: ObjectShape) =>
  object.columns.filter(({ is_read_only, is_unique }) => !is_read_only && !is_unique)

const isList = ({ type, is_multi }: FieldShape) => type === 'multi_select' || is_multi

const labels: Record<How, string> = { set: 'Set', add: 'Add', remove: 'Remove', clear: 'Clear' }

function waysOf(field: FieldShape): { value: How; label: string }[] {
  const ways: How[] = isList(field) ? ['add', 'remove', 'set'] : ['set']
  const canClear = !field.is_required && field.type !== 'boolean'
  return [...ways, ...(canClear ? (['clear'] as const) : [])].map((value) => ({
    value,
    label: value === 'set' && isList(field) ? 'Replace' : labels[value],
  }))
}

export const changeOf = (id: number, field: FieldShape): Change => ({
  id,
  field,
  how: isList(field) ? 'add' : 'set',
  value: field.type === 'boolean' ? false : null,
})

export function faultIn({ field, how, value }: Change) {
  if (!field) return 'Choose a field'
  if (how === 'clear') return undefined
  return isEmpty(value) ? 'Enter a value' : faultOf(field, value)
}

export const valuesOf = (changes: Change[]): Values =>
  Object.fromEntries(changes.map((change) => [change.field!.key, sent(change)]))

function sent({ how, value }: Change) {
  if (how === 'clear') return null
  return how === 'set' ? plain(value) : { [how]: [plain(value)].flat() }
}

/** If it was refused because more records match now, the dialog asks again with the new number. */
export const askingAgain = (recount: () => Promise<unknown>) => async (error: unknown) => {
  if (error instanceof ApiError && error.problem.status === 409) await recount()
  throw error
}
