import { Select, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FieldType, uniqueTypes } from '../../../contract/built-in/field-types.ts'
import { api } from '../../client/api.ts'
import { freeKey } from '../../records/data/field-keys.ts'
import type { ObjectShape } from '../../records/data/schema.ts'
import { fieldKinds } from '../../records/fields/field-kinds.ts'
import { say } from '../../ui/basics/notices.tsx'
import { Dialog } from '../../ui/form/dialog.tsx'
import { DialogSubmit, Form } from '../../ui/form/form.tsx'
import { rulesOf } from '../../ui/form/rules-of.ts'
import { useForm } from '../../ui/form/use-form.ts'
import type { Preview } from './choices.ts'
import css from './import.module.css'

const types: FieldType[] = [
  'text',
  'long_text',
  'number',
  'money',
  'date',
  'datetime',
  'boolean',
  'select',
  'multi_select',
  'email',
  'phone',
  'url',
]
const isChoice = (type: FieldType) => type === 'select' || type === 'multi_select'

type FileColumn = Preview['columns'][number]
type Props = { object: ObjectShape; of: FileColumn; onClose: () => void; onDone: (key: string) => void }

/** A field for a column that has none yet. The import adds further options. */
export function CreateField({ object, of, onClose, onDone }: Props) {
  const client = useQueryClient()
  const taken = new Set(object.fields.map(({ key }) => key))
  const { form, values, change, text, checked, errors } = useForm({
    input: rulesOf(
      () => import('../../../contract/objects.ts'),
      ({ objects }) => objects.createField.input,
    ),
    initial: { label: of.column.replace(/^.+? - /, '').slice(0, 60), type: typeOf(of), is_unique: isIdLike(of) },
    ask: ({ label, type, is_unique }) => ({
      object: object.key,
      key: freeKey(label, taken, 'field'),
      label,
      type,
      is_unique: is_unique && uniqueTypes.includes(type),
      ...(isChoice(type) && { options: of.samples.map((sample) => ({ label: sample.slice(0, 60) })) }),
    }),
    send: api.createField,
    onDone: async ({ key, label }) => {
      await client.invalidateQueries({ queryKey: ['schema'] })
      say(`${label} added`)
      onDone(key)
    },
  })
  return (
    <Dialog title="New field" onClose={onClose}>
      <Form of={form} className={css.newField}>
        <TextInput label="Label" autoComplete="off" data-autofocus {...text('label')} />
        <Select
          label="Type"
          description="Cannot be changed later."
          data={types.map((value) => ({ value, label: fieldKinds[value].label }))}
          value={values.type}
          error={errors.type}
          onChange={(type) => type && change({ type: type as FieldType })}
        />
        {uniqueTypes.includes(values.type) && (
          <Switch
            label="Unique"
            description="No two records can have the same value, so a later file can update them by it. Can only be set now."
            {...checked('is_unique')}
          />
        )}
        <DialogSubmit of={form} action="Add field" onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

/** "Deal - ID" and "AccountId": they look like numbers, and are names. */
const isIdLike = ({ column }: FileColumn) => /(\bid|Id|ID)s?$/.test(column)

/** What all its samples can be read as. */
function typeOf(of: FileColumn): FieldType {
  const { samples, readings } = of
  if (isIdLike(of)) return 'text'
  const isAll = (type: string) => {
    const values = readings.find((one) => one.type === type)?.values ?? []
    return values.length > 0 && values.every((value) => value !== null)
  }
  if (samples.length && samples.every((sample) => /^\S+@\S+\.\S+$/.test(sample))) return 'email'
  if (samples.length && samples.every((sample) => /^https?:\/\//i.test(sample))) return 'url'
  const found = (['number', 'date', 'datetime', 'boolean', 'money'] as const).find(isAll)
  return found ?? (samples.some((sample) => sample.length > 80) ? 'long_text' : 'text')
}
