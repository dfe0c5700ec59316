import { MultiSelect, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { api } from '../../../client/api.ts'
import { errorUnder } from '../../../ui/basics/errors.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { Form, FormBar } from '../../../ui/form/form.tsx'
import { NoMailServer } from '../../../ui/form/no-mail-server.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { UserSelect } from '../../../users/user-select.tsx'
import { UsersSelect } from '../../../users/users-select.tsx'
import { Assignment } from './assignment.tsx'
import css from './handling.module.css'
import { type LeadSource, useLeadsChanged, useLeadsObject } from './lead-source.ts'

type Rule = { id: string; filter: string; user_ids: string[] }

export type { Rule as DraftRule }

const valuesOf = (source: LeadSource) => ({
  owner_id: source.owner_id,
  assignment: source.assignment.map(
    ({ filter, user_ids }, index): Rule => ({
      id: String(index),
      filter: filter ?? '',
      user_ids,
    }),
  ),
  duplicates: source.duplicates,
  tags: source.tags,
  source_label: source.source_label,
  notify_user_ids: source.notify_user_ids,
  autoresponse: source.autoresponse !== null && source.autoresponse.is_on !== false,
  subject: source.autoresponse?.subject ?? '',
  reply: source.autoresponse?.text ?? '',
  double_opt_in: source.double_opt_in,
})
type Values = ReturnType<typeof valuesOf>

const policies = [
  { value: 'update', label: 'Fill empty fields of the existing lead and add a note' },
  { value: 'note', label: 'Only add a note to the existing lead' },
  { value: 'create', label: 'Create a new lead' },
]

/** Who gets the leads of a source, what they carry, and what the person is sent. */
export function Handling({ source }: { source: LeadSource }) {
  const changed = useLeadsChanged()
  const made = useForm({
    input: rulesOf(
      () => import('../../../../contract/lead-sources.ts'),
      ({ leadSources }) => leadSources.updateLeadSource.input.omit({ id: true }),
    ),
    initial: valuesOf(source),
    ask: ({ assignment, autoresponse, subject, reply, ...rest }: Values) => ({
      ...rest,
      assignment: assignment.map(({ filter, user_ids }) => ({ filter: filter || null, user_ids })),
      // Turned off, it is kept.
      autoresponse: autoresponse || (subject && reply) ? { subject, text: reply, is_on: autoresponse } : null,
    }),
    send: (sent) => api.updateLeadSource({ id: source.id, ...sent }),
    read: valuesOf,
    onDone: async (saved) => {
      say('Lead settings of this form saved')
      await changed(saved)
    },
  })
  const { form, values, change, text, choice, checked, errors } = made
  const tags = useLeadsObject()?.byKey.get('tags')?.options ?? []
  return (
    <Form of={form} sections>
      <Section title="Owner" about="Who owns new leads. People who are away are skipped.">
        <div className={css.fields}>
          <UserSelect
            label="Owner of this form"
            description="Leads are created with this user’s permissions, and owned by them if no rule matches."
            state="active"
            value={values.owner_id}
            error={errors.owner_id}
            onChange={(id) => id && change({ owner_id: id })}
          />
          <Assignment rules={values.assignment} errors={errors} onChange={(assignment) => change({ assignment })} />
        </div>
      </Section>
      <Section title="Leads" about="Applied to every lead from this form.">
        <div className={css.fields}>
          <Select
            label="If an open lead has the same email address or phone number"
            data={policies}
            {...choice('duplicates')}
          />
          <TextInput
            label="Source"
            description="Value of the Source field."
            placeholder={source.name}
            autoComplete="off"
            {...text('source_label')}
          />
          <MultiSelect
            label="Tags"
            placeholder={values.tags.length ? undefined : tags.length ? 'None' : 'The Tags field has no options yet'}
            data={[...new Set([...tags.map(({ label }) => label), ...values.tags])]}
            searchable
            value={values.tags}
            error={errorUnder(errors, 'tags')}
            onChange={(tags) => change({ tags })}
          />
          <UsersSelect
            label="Also notify"
            description="The owner of a lead is always notified."
            placeholder="No one else"
            value={values.notify_user_ids}
            error={errorUnder(errors, 'notify_user_ids')}
            onChange={(notify_user_ids) => change({ notify_user_ids })}
          />
        </div>
      </Section>
      <Section title="Email to the person" about="Sent via your company’s mail server.">
        <div className={css.fields}>
          {(values.double_opt_in || values.autoresponse) && <NoMailServer />}
          <Switch
            label="Confirm the email address"
            description="A lead is only created after the person confirms their address, with a link that expires in 7 days."
            {...checked('double_opt_in')}
          />
          <Switch
            label="Automatic reply"
            description="At most one per address per day, and never to automatic senders."
            {...checked('autoresponse')}
          />
          {values.autoresponse && (
            <>
              <TextInput
                label="Subject"
                autoComplete="off"
                {...text('subject')}
                error={errors['autoresponse.subject']}
              />
              <Textarea label="Text" autosize minRows={4} {...text('reply')} error={errors['autoresponse.text']} />
            </>
          )}
        </div>
      </Section>
      <FormBar of={made} save="Save" />
    </Form>
  )
}
