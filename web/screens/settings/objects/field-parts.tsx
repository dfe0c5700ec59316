import { Autocomplete, MultiSelect, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { FieldEditor } from '../../../records/fields/field-editor.tsx'
import type { Field, RecordObject } from '../whole-schema.ts'
import type { FieldDescriptionProps } from './edit-field.tsx'
import css from './objects.module.css'
import type { DraftOption } from './option-list.tsx'

type Props = {
  field: Pick<Field, 'type' | 'is_multi' | 'to_objects'>
  options: DraftOption[]
  value: unknown
  error?: string
  onChange: (value: unknown) => void
}

const label = 'Default'
const description = 'For new records without another value.'

/** What the options are called is still being written, so a default among them goes by their ids. */
export function DefaultValue({ field, options, value, error, onChange }: Props) {
  const named = options.filter(({ label }) => label.trim()).map(({ id, label }) => ({ value: id, label }))
  const shared = { label, description, error, data: named, clearable: true, nothingFoundMessage: 'No such option' }
  if (field.type === 'select')
    return <Select {...shared} value={(value as string | null) ?? null} onChange={onChange} />
  if (field.type === 'multi_select')
    return <MultiSelect {...shared} value={(value as string[] | null) ?? []} onChange={onChange} />
  if (field.type === 'user' && value === 'me') return <DefaultIsMe isOn onChange={onChange} />
  const editor = (
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
        group: '',
        default_value: null,
      }}
      value={value}
      error={error}
      onChange={onChange}
    />
  )
  if (field.type !== 'user') return editor
  return (
    <>
      {editor}
      <DefaultIsMe isOn={false} onChange={onChange} />
    </>
  )
}

const DefaultIsMe = ({ isOn, onChange }: { isOn: boolean; onChange: (value: unknown) => void }) => (
  <Switch
    label="The person who creates the record"
    checked={isOn}
    onChange={(event) => onChange(event.currentTarget.checked ? 'me' : null)}
  />
)

/** Nothing at all where nothing stands. */
export const givenValue = (value: unknown) =>
  value === '' || value === undefined || (Array.isArray(value) && !value.length) ? null : value

type KeyInputProps = { value: string; error?: string; onChange: (key: string) => void }

export const KeyInput = ({ value, error, onChange }: KeyInputProps) => (
  <TextInput
    label="Key"
    description="Used in filters, by programs and agents. It never changes."
    autoComplete="off"
    spellCheck={false}
    classNames={{ input: css.code }}
    value={value}
    error={error}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)

type GroupInputProps = {
  object: RecordObject
  value: string
  error?: string | undefined
  onChange: (group: string) => void
}

/** The heading under which record pages show the field: one that there is, or a new one. */
export const GroupInput = ({ object, ...bound }: GroupInputProps) => (
  <Autocomplete
    label="Group"
    description="Heading on record pages. Groups appear in the order of their first field."
    placeholder="Details"
    data={[...new Set(object.fields.map(({ group }) => group).filter(Boolean))]}
    {...bound}
  />
)

export const FieldDescription = ({ value, error, onChange }: FieldDescriptionProps) => (
  <Textarea
    label="Description"
    description="What it is for, shown to people and agents. Optional."
    autosize
    minRows={1}
    maxRows={4}
    value={value}
    error={error}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
