import { Switch, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { api } from '../../../client/api.ts'
import { isBuiltIn } from '../../../records/data/built-in.ts'
import { fieldKinds } from '../../../records/fields/field-kinds.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Dialog } from '../../../ui/form/dialog.tsx'
import { DialogSubmit, Form } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { type Field, type RecordObject, useSchemaChanged } from '../whole-schema.ts'
import { DefaultValue, FieldDescription, GroupInput, givenValue } from './field-parts.tsx'
import { NewField } from './new-field.tsx'
import css from './objects.module.css'
import { type DraftOption, draftOf, OptionList, sentOptions } from './option-list.tsx'

type Values = Pick<Field, 'label' | 'description' | 'is_required' | 'is_unique' | 'default_value' | 'group'> & {
  options: DraftOption[]
}

function EditField({ object, field, onClose }: { object: RecordObject; field: Field; onClose: () => void }) {
  const changed = useSchemaChanged()
  const { form, values, change, text, checked, errors } = useForm({
    input: rulesOf(
      () => import('../../../../contract/objects.ts'),
      ({ objects }) => objects.updateField.input,
    ),
    initial: valuesOf(field),
    ask: (values) => asked(object, field, values),
    send: api.updateField,
    onDone: async ({ label }) => {
      await changed()
      onClose()
      say(`${label} saved`)
    },
  })
  return (
    <Form of={form} className={css.form}>
      <div className={css.fields}>
        <About field={field} />
        <TextInput label="Label" autoComplete="off" data-autofocus {...text('label')} />
        {isOfPipelines(object, field) && (
          <p>
            Its options are your <Link to="/company/pipelines">pipelines and their stages</Link>.
          </p>
        )}
        {field.options && !field.is_read_only && !isOfPipelines(object, field) && (
          <OptionList options={values.options} errors={errors} onChange={(options) => change({ options })} />
        )}
        <GroupInput object={object} {...text('group')} />
        <FieldDescription
          value={values.description}
          error={errors.description}
          onChange={(description) => change({ description })}
        />
        {!field.is_read_only && (
          <>
            <div className={css.switches}>
              <Switch
                label="Required"
                description="New records must have a value. Existing records without one do not change."
                {...checked('is_required')}
              />
              {field.is_unique && (
                <Switch
                  label="Unique"
                  description="No two records can have the same value. Once turned off, it cannot be turned on again."
                  {...checked('is_unique')}
                />
              )}
            </div>
            <DefaultValue
              field={field}
              options={values.options}
              value={values.default_value}
              error={errors.default_value}
              onChange={(default_value) => change({ default_value })}
            />
          </>
        )}
      </div>
      <DialogSubmit of={form} action="Save field" onCancel={onClose} />
    </Form>
  )
}

function About({ field }: { field: Field }) {
  const { label, icon: Icon } = fieldKinds[field.type]
  return (
    <p className={css.facts}>
      <span>
        <Icon size={15} strokeWidth={1.75} />
        {field.is_multi ? `${label}, several` : label}
      </span>
      <code>{field.key}</code>
      {field.to_objects && <span>Links to {field.to_objects.join(', ') || 'any object'}</span>}
      {field.is_read_only && <span>Calculated from other fields</span>}
    </p>
  )
}

const valuesOf = ({ label, description, is_required, is_unique, default_value, group, options }: Field): Values => ({
  label,
  description,
  is_required,
  is_unique,
  default_value,
  group,
  options: (options ?? []).map(draftOf),
})

const isOfPipelines = (object: RecordObject, field: Field) =>
  isBuiltIn(object, 'deals') && isBuiltIn(field, 'pipeline', 'stage')

/** A value that others set is only called differently. */
function asked(object: RecordObject, field: Field, { options, default_value, ...plain }: Values) {
  const place = { object: object.key, field: field.key }
  if (field.is_read_only) return { ...place, label: plain.label, description: plain.description, group: plain.group }
  const { is_unique, ...rest } = plain
  const common = { ...place, ...rest, ...(field.is_unique && { is_unique }), default_value: givenValue(default_value) }
  if (!field.options || isOfPipelines(object, field)) return common
  return { ...common, ...sentOptions(options, common.default_value) }
}

type Props = { object: RecordObject; field?: Field; onClose: () => void }

export const FieldDialog = ({ object, field, onClose }: Props) => (
  <Dialog title={field ? field.label : `New ${inSentence(object.label)} field`} size={540} tall onClose={onClose}>
    {field ? (
      <EditField object={object} field={field} onClose={onClose} />
    ) : (
      <NewField object={object} onClose={onClose} />
    )}
  </Dialog>
)

export type FieldDescriptionProps = {
  value: string
  error: string | undefined
  onChange: (description: string) => void
}
