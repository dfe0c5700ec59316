import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core'
import { contract } from '../../../contract/index.ts'
import { changeMakers, recordActions } from '../../../contract/notification-rules.ts'
import { api } from '../../client/api.ts'
import { FilterBar } from '../../records/filter/filter-bar.tsx'
import { useSchema } from '../../records/schema.ts'
import { useDraft } from '../../ui/draft.ts'
import { DialogSubmit, DraftForm } from '../../ui/form.tsx'
import { say } from '../../ui/notices.tsx'
import css from './notification-rules.module.css'
import { actionWords, makerWords, type Rule, useRulesChanged } from './rules.ts'

type Values = Pick<Rule, 'name' | 'object' | 'actions' | 'fields' | 'only_new_matches' | 'made_by'> & { filter: string }

const initial: Values = {
  name: '',
  object: 'deals',
  actions: ['created', 'updated'],
  fields: [],
  filter: '',
  only_new_matches: false,
  made_by: 'others',
}

const valuesOf = ({ name, object, actions, fields, only_new_matches, made_by, filter }: Rule): Values => ({
  ...{ name, object, actions, fields, only_new_matches, made_by },
  filter: filter ?? '',
})

export function RuleForm({ rule, onClose }: { rule: Rule | undefined; onClose: () => void }) {
  const objects = useSchema()
  const changed = useRulesChanged()
  const first = objects.some(({ key }) => key === initial.object) ? initial.object : objects[0]!.key
  const { draft, values, change, text, errors, isPending } = useDraft({
    input: contract.createNotificationRule.input,
    initial: rule ? valuesOf(rule) : { ...initial, object: first },
    ask: ({ filter, only_new_matches, ...rest }) => ({
      ...rest,
      filter: filter || null,
      only_new_matches: only_new_matches && filter !== '',
    }),
    send: ({ object, ...sent }) =>
      rule ? api.updateNotificationRule({ id: rule.id, ...sent }) : api.createNotificationRule({ object, ...sent }),
    onDone: async () => {
      await changed()
      onClose()
      say(rule ? 'Rule saved' : 'Rule added')
    },
  })
  const object = objects.find(({ key }) => key === values.object)
  const isAboutUpdates = values.actions.includes('updated')
  const isAboutValues = isAboutUpdates || values.actions.includes('created')
  const known = object?.fields ?? []
  // A field that was archived since stays in the list, so that it can be removed.
  const gone = values.fields.filter((key) => !known.some((field) => field.key === key))
  const fieldsError = Object.entries(errors).find(([path]) => path.split('.')[0] === 'fields')?.[1]
  return (
    <DraftForm draft={draft} className={css.form}>
      <TextInput label="Name" placeholder="Such as: Big deals" autoComplete="off" data-autofocus {...text('name')} />
      <Select
        label="Records"
        data={objects.map(({ key, label_plural }) => ({ value: key, label: label_plural }))}
        allowDeselect={false}
        disabled={rule !== undefined}
        value={values.object}
        error={errors.object}
        onChange={(chosen) => chosen && change({ object: chosen, filter: '', fields: [] })}
      />
      <MultiSelect
        label="When they are"
        data={recordActions.map((value) => ({ value, label: actionWords[value] }))}
        value={values.actions}
        error={errors.actions}
        onChange={(actions) => change({ actions: actions as Values['actions'] })}
      />
      {isAboutValues && (
        <MultiSelect
          label="Only if one of these fields changes"
          description="A new record counts if it has one of them."
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
      <fieldset className={css.filter}>
        <legend>Only records that match</legend>
        <FilterBar
          key={values.object}
          object={values.object}
          value={values.filter}
          onChange={(filter) => change({ filter })}
        />
        {errors.filter && (
          <p role="alert" className={css.fault}>
            {errors.filter}
          </p>
        )}
      </fieldset>
      {isAboutUpdates && (
        <Checkbox
          label="Only when a record starts to match"
          disabled={values.filter === ''}
          checked={values.only_new_matches && values.filter !== ''}
          error={errors.only_new_matches}
          onChange={(event) => change({ only_new_matches: event.currentTarget.checked })}
        />
      )}
      <Select
        label="Changed by"
        data={changeMakers.map((value) => ({ value, label: makerWords[value] }))}
        allowDeselect={false}
        value={values.made_by}
        onChange={(made_by) => made_by && change({ made_by: made_by as Values['made_by'] })}
      />
      <DialogSubmit action={rule ? 'Save' : 'Add rule'} isPending={isPending} onCancel={onClose} />
    </DraftForm>
  )
}
