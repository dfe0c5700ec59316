import { Select, Switch } from '@mantine/core'
import { api } from '../client/api.ts'
import { Section } from '../ui/basics/page.tsx'
import { Form, FormSubmit } from '../ui/form/form.tsx'
import { NumberField } from '../ui/form/number-field.tsx'
import { rulesOf } from '../ui/form/rules-of.ts'
import { useForm } from '../ui/form/use-form.ts'
import { abilitiesOf, type ChannelDetails, useChannelSaved } from './channels.ts'

/** What the messages of the channel cannot have is not asked about. */
export const ChannelRules = ({ of: channel }: { of: ChannelDetails }) =>
  channel.kind === 'chat' ? (
    <Section title="Agents" about="What agents may do with messages in this chat.">
      <Rules of={channel} />
    </Section>
  ) : (
    <Section title="Rules" about="How unknown senders are handled, and what agents may do.">
      <Rules of={channel} />
    </Section>
  )

const senders = { nothing: 'Do nothing', person: 'Add a person', lead: 'Add a lead' } as const

function Rules({ of: channel }: { of: ChannelDetails }) {
  const valuesOf = ({ unknown_senders, joins_subjects, agents, hourly_limit }: ChannelDetails) => ({
    unknown_senders: unknown_senders as string,
    joins_subjects,
    agents: agents as string,
    hourly_limit: hourly_limit as number | string,
  })
  const { form, choice, checked, number } = useForm({
    input: rulesOf(
      () => import('../../contract/channels.ts'),
      ({ channels }) => channels.updateChannel.input,
    ),
    initial: valuesOf(channel),
    ask: (values) => ({
      id: channel.id,
      unknown_senders: values.unknown_senders as ChannelDetails['unknown_senders'],
      joins_subjects: values.joins_subjects,
      agents: values.agents as ChannelDetails['agents'],
      hourly_limit: Number(values.hourly_limit),
    }),
    send: api.updateChannel,
    read: valuesOf,
    onDone: useChannelSaved(),
  })
  const isChat = channel.kind === 'chat'
  return (
    <Form of={form}>
      {!isChat && (
        <Select
          label="Unknown senders"
          data={Object.entries(senders).map(([value, label]) => ({ value, label }))}
          {...choice('unknown_senders')}
        />
      )}
      {abilitiesOf(channel).subject && (
        <Switch
          label="Group messages with the same sender and subject"
          description="Within 7 days, even without reply headers. If off, Kith only suggests merging them."
          {...checked('joins_subjects')}
        />
      )}
      <Select
        label="Agents"
        description="Proposals wait in the conversation until a person approves them."
        data={[
          { value: 'draft', label: 'Propose messages for approval' },
          { value: 'send', label: 'Send messages without approval' },
        ]}
        {...choice('agents')}
      />
      {!isChat && (
        <NumberField
          label="Maximum messages per hour"
          description={
            channel.gateway
              ? 'The rest are queued.'
              : 'The rest are queued. Mail providers block mailboxes that send too much.'
          }
          min={1}
          max={10_000}
          isWhole
          {...number('hourly_limit')}
        />
      )}
      <FormSubmit of={form}>{isChat ? 'Save' : 'Save rules'}</FormSubmit>
    </Form>
  )
}
