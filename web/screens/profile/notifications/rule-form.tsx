import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core'
import { changeMakers, recordActions, ruleKinds } from '../../../../contract/notification-rules.ts'
import { api } from '../../../client/api.ts'
import { useSchema } from '../../../records/data/schema.ts'
import { FilterBar } from '../../../records/filter/filter-bar.tsx'
import { errorUnder } from '../../../ui/basics/errors.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { FieldGroup } from '../../../ui/form/field-group.tsx'
import { DialogSubmit, Form } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import css from './notification-rules.module.css'
import { actionWords, kindWords, makerWords, type Rule, useRulesChanged } from './rules.ts'

type Values = Pick<Rule, 'name' | 'kind' | 'object' | 'actions' | 'fields' | 'only_new_matches' | 'made_by'> & {
  filter: string
}

const initial: Values = {
  name: '',
  kind: 'record_matched',
  object: 'deals',
  actions: ['created', 'updated'],
  fields: [],
  filter: '',
  only_new_matches: false,
  made_by: 'others',
}

const valuesOf = ({ name, kind, object, actions, fields, only_new_matches, made_by, filter }: Rule): Values => ({
  name,
  kind,
  object,
  actions,
  fields,
  only_new_matches,
  made_by,
  filter: filter ?? '',
})

/** The object that a kind is mostly about. */
const usualObject: Partial<Record<Rule['kind'], string>> = { task_due: 'tasks', mentioned: 'notes' }

const aboutKind = (kind: Rule['kind']): Partial<Values> => {
  const object = usualObject[kind]
  return object ? { kind, object, filter: '', fields: [] } : { kind }
}

export function RuleForm({ rule, onClose }: { rule: Rule | undefined; onClose: () => void }) {
  const objects = useSchema()
  const changed = useRulesChanged()
  const first = objects.some(({ key }) => key === initial.object) ? initial.object : objects[0]!.key
  const { form, values, change, text, choice, errors } = useForm({
    input: rulesOf(
      () => import('../../../../contract/notification-rules.ts'),
      ({ notificationRules }) => notificationRules.createNotificationRule.input,
    ),
    initial: rule ? valuesOf(rule) : { ...initial, object: first },
    ask: ({ filter, only_new_matches, fields, ...rest }) => ({
      ...rest,
      filter: filter || null,
      fields: rest.kind === 'record_matched' ? fields : [],
      only_new_matches: rest.kind === 'record_matched' && only_new_matches && filter !== '',
    }),
    send: ({ object, kind, ...sent }) =>
      rule
        ? api.updateNotificationRule({ id: rule.id, ...sent })
        : api.createNotificationRule({ object, kind, ...sent }),
    onDone: async () => {
      await changed()
      onClose()
      say(rule ? 'Rule saved' : 'Rule added')
    },
  })
  const object = objects.find(({ key }) => key === values.object)
  const isAboutChanges = values.kind === 'record_matched'
  const isAboutUpdates = isAboutChanges && values.actions.includes('updated')
  const isAboutValues = isAboutUpdates || (isAboutChanges && values.actions.includes('created'))
  const known = object?.fields ?? []
  // A field that was archived since stays in the list, so that it can be removed.
  const gone = values.fields.filter((key) => !known.some((field) => field.key === key))
  const fieldsError = errorUnder(errors, 'fields')
  return (
    <Form of={form} className={css.form}>
      <TextInput label="Name" placeholder="e.g. Big deals" autoComplete="off" data-autofocus {...text('name')} />
      <Select
        label="When"
        data={ruleKinds.map((value) => ({ value, label: kindWords[value] }))}
        disabled={rule !== undefined}
        value={values.kind}
        error={errors.kind}
        description={isAboutChanges ? undefined : 'You get these notifications only for records that match the filter.'}
        onChange={(chosen) => chosen && change(aboutKind(chosen as Rule['kind']))}
      />
      <Select
        label="Records"
        data={objects.map(({ key, label_plural }) => ({ value: key, label: label_plural }))}
        disabled={rule !== undefined || values.kind === 'task_due'}
        value={values.object}
        error={errors.object}
        onChange={(chosen) => chosen && change({ object: chosen, filter: '', fields: [] })}
      />
      {isAboutChanges && (
        <MultiSelect
          label="When they are"
          data={recordActions.map((value) => ({ value, label: actionWords[value] }))}
          value={values.actions}
          error={errors.actions}
          onChange={(actions) => change({ actions: actions as Values['actions'] })}
        />
      )}
      {isAboutValues && (
        <MultiSelect
          label="Only if one of these fields changes"
          description="New records match if they have a value in one of them."
          placeholder={values.fields.length ? undefined : 'Any field'}
          data={[
            ...known.map(({ key, label }) => ({ value: key, label })),
            ...gone.map((key) => ({ value: key, label: `${key} (removed)` })),
          ]}
          searchable
          clearable
          value={values.fields}
          error={fieldsError ?? (gone.length ? rule?.fields_error : undefined)}
          onChange={(fields) => change({ fields })}
        />
      )}
      <FieldGroup legend="Only records that match" error={errors.filter}>
        <FilterBar
          key={values.object}
          object={values.object}
          value={values.filter}
          onChange={(filter) => change({ filter })}
        />
      </FieldGroup>
      {isAboutUpdates && (
        <Checkbox
          label="Only when a record starts to match"
          disabled={values.filter === ''}
          checked={values.only_new_matches && values.filter !== ''}
          error={errors.only_new_matches}
          onChange={(event) => change({ only_new_matches: event.currentTarget.checked })}
        />
      )}
      {isAboutChanges && (
        <Select
          label="Changed by"
          data={changeMakers.map((value) => ({ value, label: makerWords[value] }))}
          {...choice('made_by')}
        />
      )}
      <DialogSubmit of={form} action={rule ? 'Save' : 'Add rule'} onCancel={onClose} />
    </Form>
  )
}
