import { MultiSelect, Select, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type RuleAction, ruleStarts, ruleTimes } from '../../../../contract/inbox-rules.ts'
import { channelsQuery } from '../../../channels/channels.ts'
import { api } from '../../../client/api.ts'
import { ConversationFilter } from '../../../conversations/filter.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { FieldGroup } from '../../../ui/form/field-group.tsx'
import { DialogSubmit, Form } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import css from './inbox-rules.module.css'
import { RuleActions } from './rule-actions.tsx'
import { newAction, type Rule, startWords, timeWords, useRulesChanged } from './rules.ts'

type Values = Pick<Rule, 'name' | 'on' | 'channel_ids' | 'during' | 'actions' | 'stop_here'> & { filter: string }

const initial: Values = {
  name: '',
  on: 'conversation_created',
  channel_ids: [],
  during: 'always',
  filter: '',
  stop_here: false,
  actions: [newAction('assign')],
}

const valuesOf = ({ name, on, channel_ids, during, actions, stop_here, filter }: Rule): Values => ({
  name,
  on,
  channel_ids,
  during,
  actions,
  stop_here,
  filter: filter ?? '',
})

type Props = { rule: Rule | undefined; isCopy: boolean; onClose: () => void }

export function RuleForm({ rule, isCopy, onClose }: Props) {
  const changed = useRulesChanged()
  const { data: channels = [] } = useQuery(channelsQuery)
  const start = rule ? valuesOf(rule) : initial
  const { form, values, change, text, choice, checked, errors } = useForm({
    input: rulesOf(
      () => import('../../../../contract/inbox-rules.ts'),
      ({ inboxRules }) => inboxRules.createInboxRule.input,
    ),
    initial: isCopy ? { ...start, name: `${start.name} (copy)`.slice(0, 100) } : start,
    ask: ({ filter, ...rest }) => ({ ...rest, filter: filter || null }),
    send: (sent) => (rule && !isCopy ? api.updateInboxRule({ id: rule.id, ...sent }) : api.createInboxRule(sent)),
    onDone: async () => {
      await changed()
      onClose()
      say(rule && !isCopy ? 'Rule saved' : 'Rule added')
    },
  })
  const readable = channels.filter(({ owner_id, is_shared }) => owner_id === null || is_shared)
  return (
    <Form of={form} className={css.form}>
      <TextInput
        label="Name"
        placeholder="e.g. Invoices to accounting"
        autoComplete="off"
        data-autofocus
        {...text('name')}
      />
      <Select label="When" data={ruleStarts.map((value) => ({ value, label: startWords[value] }))} {...choice('on')} />
      <div className={css.pair}>
        <MultiSelect
          label="Channels"
          placeholder={values.channel_ids.length ? undefined : 'All team channels'}
          data={readable.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
          value={values.channel_ids}
          error={errors.channel_ids}
          onChange={(channel_ids) => change({ channel_ids })}
        />
        <Select
          label="Hours"
          data={ruleTimes.map((value) => ({ value, label: timeWords[value] }))}
          {...choice('during')}
        />
      </div>
      <FieldGroup legend="Only conversations that match" error={errors.filter}>
        <ConversationFilter isForAll value={values.filter} onChange={(filter) => change({ filter })} />
      </FieldGroup>
      <RuleActions value={values.actions} errors={errors} onChange={(actions: RuleAction[]) => change({ actions })} />
      <Switch
        label="Stop here"
        description="Skip later rules for messages that match this one."
        {...checked('stop_here')}
      />
      <DialogSubmit of={form} action={rule && !isCopy ? 'Save' : 'Add rule'} onCancel={onClose} />
    </Form>
  )
}
