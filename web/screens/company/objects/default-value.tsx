import { MultiSelect, Select } from '@mantine/core'
import { FieldEditor } from '../../../records/field-editor.tsx'
import type { DraftOption } from './options.ts'
import type { Field } from './whole-schema.ts'

type Props = {
  field: Pick<Field, 'type' | 'is_multi' | 'to_objects'>
  options: DraftOption[]
  value: unknown
  error?: string
  onChange: (value: unknown) => void
}

const label = 'Default'
const description = 'For new records that do not say otherwise.'

/** What the options are called is still being written, so a default among them goes by their ids. */
export function DefaultValue({ field, options, value, error, onChange }: Props) {
  const named = options.filter(({ label }) => label.trim()).map(({ id, label }) => ({ value: id, label }))
  const shared = { label, description, error, data: named, clearable: true, nothingFoundMessage: 'No such option' }
  if (field.type === 'select')
    return <Select {...shared} value={(value as string | null) ?? null} onChange={onChange} />
  if (field.type === 'multi_select')
    return <MultiSelect {...shared} value={(value as string[] | null) ?? []} onChange={onChange} />
  return (
    <FieldEditor
      field={{
        ...field,
        key: 'default',
        label,
        description,
        options: null,
        is_required: false,
        is_unique: false,
        is_read_only: false,
        is_built_in: false,
        is_archived: false,
        default_value: null,
      }}
      value={value}
      error={error}
      onChange={onChange}
    />
  )
}

/** Nothing at all where nothing stands. */
export const givenValue = (value: unknown) =>
  value === '' || value === undefined || (Array.isArray(value) && !value.length) ? null : value
