import { MultiSelect, Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FieldType, fieldTypes, multiTypes, uniqueTypes } from '../../../../contract/built-in/field-types.ts'
import { api } from '../../../client/api.ts'
import { freeKey, keyFrom } from '../../../records/data/field-keys.ts'
import { fieldKinds } from '../../../records/fields/field-kinds.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { DialogSubmit, Form } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { type RecordObject, useSchemaChanged, wholeSchemaQuery } from '../whole-schema.ts'
import { DefaultValue, FieldDescription, GroupInput, givenValue, KeyInput } from './field-parts.tsx'
import css from './objects.module.css'
import { type DraftOption, newOption, OptionList, sentOptions } from './option-list.tsx'

type Values = {
  label: string
  key: string | null
  description: string
  type: FieldType
  is_multi: boolean
  is_required: boolean
  is_unique: boolean
  options: DraftOption[]
  to_objects: string[]
  default_value: unknown
  group: string
}

const initial: Values = {
  label: '',
  key: null,
  description: '',
  type: 'text',
  is_multi: false,
  is_required: false,
  is_unique: false,
  options: [],
  to_objects: [],
  default_value: null,
  group: '',
}

const isChoice = (type: FieldType) => type === 'select' || type === 'multi_select'

export function NewField({ object, onClose }: { object: RecordObject; onClose: () => void }) {
  const changed = useSchemaChanged()
  const { data: objects = [] } = useQuery(wholeSchemaQuery)
  const taken = new Set(object.fields.map((field) => field.key))
  const keyOf = ({ key, label }: Values) => key ?? (keyFrom(label) && freeKey(label, taken, ''))
  const { form, values, change, text, checked, errors } = useForm({
    input: rulesOf(
      () => import('../../../../contract/objects.ts'),
      ({ objects }) => objects.createField.input,
    ),
    initial,
    ask: (values) => asked(object.key, values, keyOf(values)),
    send: api.createField,
    onDone: async ({ label }) => {
      await changed()
      onClose()
      say(`${label} added`)
    },
  })
  const { type } = values
  return (
    <Form of={form} className={css.form}>
      <div className={css.fields}>
        <TextInput label="Label" placeholder="e.g. Renewal date" autoComplete="off" data-autofocus {...text('label')} />
        <Select
          label="Type"
          description={
            type === 'text'
              ? 'Cannot be changed later. For a fixed list of values choose Select, which you can filter and chart by.'
              : 'Cannot be changed later.'
          }
          data={fieldTypes.map((value) => ({ value, label: fieldKinds[value].label }))}
          searchable
          maxDropdownHeight={320}
          renderOption={({ option }) => <Kind type={option.value as FieldType} />}
          value={type}
          error={errors.type}
          onChange={(chosen) =>
            chosen && change({ ...withType(values, chosen as FieldType), is_multi: false, is_unique: false })
          }
        />
        {isChoice(type) && (
          <OptionList
            options={values.options}
            errors={errors}
            onChange={(options) => change({ options: atLeastOne(options) })}
          />
        )}
        {type === 'relation' && (
          <MultiSelect
            label="Links to"
            description="Leave it empty for records of any object."
            data={objects
              .filter(({ is_archived }) => !is_archived)
              .map((one) => ({ value: one.key, label: one.label_plural }))}
            searchable
            clearable
            value={values.to_objects}
            error={errors.to_objects}
            onChange={(to_objects) => change({ to_objects, default_value: null })}
          />
        )}
        <GroupInput object={object} {...text('group')} />
        <FieldDescription
          value={values.description}
          error={errors.description}
          onChange={(description) => change({ description })}
        />
        <div className={css.switches}>
          {multiTypes.includes(type) && (
            <Switch
              label="Several values"
              checked={values.is_multi}
              onChange={(event) => change({ is_multi: event.currentTarget.checked, default_value: null })}
            />
          )}
          <Switch label="Required" description="New records must have it." {...checked('is_required')} />
          {uniqueTypes.includes(type) && (
            <Switch
              label="Unique"
              description="No two records can have the same value. Can only be set now."
              {...checked('is_unique')}
            />
          )}
        </div>
        <DefaultValue
          key={`${type} ${values.is_multi} ${values.to_objects}`}
          field={{ type, is_multi: values.is_multi, to_objects: values.to_objects }}
          options={values.options}
          value={values.default_value}
          error={errors.default_value}
          onChange={(default_value) => change({ default_value })}
        />
        <KeyInput value={keyOf(values)} error={errors.key} onChange={(key) => change({ key })} />
      </div>
      <DialogSubmit of={form} action="Add field" onCancel={onClose} />
    </Form>
  )
}

/** A choice begins with an option to fill in. */
function withType({ options }: Values, type: FieldType) {
  return { type, options: isChoice(type) ? atLeastOne(options) : options, default_value: null }
}

/** Without any there would be nothing to choose: the row that is left asks for one. */
const atLeastOne = (options: DraftOption[]) => (options.length ? options : [newOption([])])

function asked(object: string, values: Values, key: string) {
  const { options, to_objects, default_value, ...plain } = values
  const common = { ...plain, object, key, default_value: givenValue(default_value) }
  if (isChoice(values.type)) return { ...common, ...sentOptions(options, common.default_value, 1) }
  return values.type === 'relation' ? { ...common, to_objects } : common
}

function Kind({ type }: { type: FieldType }) {
  const { label, about, icon: Icon } = fieldKinds[type]
  return (
    <span className={css.kind}>
      <Icon size={16} strokeWidth={1.75} />
      <span>{label}</span>
      <span className={css.about}>{about}</span>
    </span>
  )
}
