import { Radio, Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { keptDays } from '../../../../contract/webhooks.ts'
import { api } from '../../../client/api.ts'
import { companySections } from '../../../client/areas.ts'
import { jobStarted } from '../../../client/jobs.ts'
import { useFoundRecords } from '../../../records/data/find-records.ts'
import { isDeals } from '../../../records/data/pipelines.ts'
import { useTitle } from '../../../records/data/records-api.ts'
import { useSchema } from '../../../records/data/schema.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Confirm, Dialog } from '../../../ui/form/dialog.tsx'
import { DialogForm } from '../../../ui/form/form.tsx'
import { Picker } from '../../../ui/form/picker.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import { shortAddress, useWebhooksChanged, type Webhook } from '../../../webhooks/webhook.ts'
import { typesFor } from './event-words.ts'
import { useWebhookSearch } from './search.ts'
import { RotateSecret } from './secret.tsx'

export type Open = 'test' | 'resend' | 'rotate' | 'delete'
type Props = { webhook: Webhook; onClose: () => void }

export function WebhookDialog({ open, ...props }: Props & { open: Open }) {
  if (open === 'test') return <TestEvent {...props} />
  if (open === 'resend') return <ResendEvents {...props} />
  return open === 'rotate' ? <RotateSecret {...props} /> : <DeleteWebhook {...props} />
}

/** An event made from a real record. How it went shows in the log. */
function TestEvent({ webhook, onClose }: Props) {
  const objects = useSchema()
  const changed = useWebhooksChanged()
  const { change: show } = useWebhookSearch()
  const object = objects.find(({ key }) => key === webhook.object)
  const types = webhook.events.includes('*') ? typesFor(object) : webhook.events
  const { form, values, change, choice } = useForm({
    input: rulesOf(
      () => import('../../../../contract/webhooks.ts'),
      ({ webhooks }) => webhooks.testWebhook.input,
    ),
    initial: { type: types[0] as string, record: null as string | null },
    ask: ({ type, record }) => ({
      id: webhook.id,
      type: type as (typeof webhook.events)[number] & `${string}.${string}`,
      ...(record && { record_id: record }),
    }),
    send: api.testWebhook,
    onDone: ({ id }) => {
      onClose()
      show({ tab: null, state: null, delivery: id })
      return changed()
    },
    isGuarded: false,
  })
  // Events of deals need a deal.
  const from = values.type.startsWith('deal.') ? objects.filter(isDeals) : object ? [object] : objects
  return (
    <Dialog title="Send a test event" onClose={onClose}>
      <DialogForm
        of={form}
        about="Sends a request as it would be for a real change, marked as a test. Nothing is changed, and the filter is ignored."
        action="Send test event"
        onCancel={onClose}
      >
        <Select
          label="Type"
          data={types.map((value) => ({ value, label: value }))}
          data-autofocus
          {...choice('type')}
          onChange={(type) => type && change({ type, record: null })}
        />
        <RecordChoice
          objects={from.map(({ key }) => key)}
          value={values.record}
          onChange={(record) => change({ record })}
        />
      </DialogForm>
    </Dialog>
  )
}

type RecordChoiceProps = { objects: string[]; value: string | null; onChange: (id: string | null) => void }

function RecordChoice({ objects, value, onChange }: RecordChoiceProps) {
  const [text, setText] = useState<string>()
  const { found = [], isCurrent } = useFoundRecords(objects, text?.trim() ?? '')
  const { data: chosen } = useTitle(value ?? '', value ? undefined : null)
  return (
    <Picker
      input={{ label: 'Record', placeholder: 'The most recently changed' }}
      items={found.map(({ id, title }) => ({ value: id, label: title }))}
      chosen={value && chosen ? [{ value, label: chosen.title }] : []}
      text={text}
      isCurrent={isCurrent}
      nothing={text ? 'No match' : 'Type to search'}
      onType={setText}
      onPick={(id) => {
        setText(undefined)
        onChange(id)
      }}
      onClear={() => onChange(null)}
      clearLabel="The most recently changed"
      onLeave={() => setText(undefined)}
    />
  )
}

const periods = [
  { value: '-1h', label: 'The last hour' },
  { value: '-24h', label: 'The last 24 hours' },
  { value: '-7d', label: 'The last 7 days' },
  { value: `-${keptDays}d`, label: `The last ${keptDays} days` },
]

/** Events that failed, or all of them, as for a receiver that is new or has lost its data. */
function ResendEvents({ webhook, onClose }: Props) {
  const changed = useWebhooksChanged()
  const { form, values, change, choice } = useForm({
    // Everything is chosen from lists.
    input: () => ({}),
    initial: { which: 'failed' as 'failed' | 'all', since: '-24h' },
    send: ({ which, since }) => (which === 'failed' ? resendFailed : replay)({ id: webhook.id, since }),
    onDone: async () => {
      onClose()
      await changed()
    },
    isGuarded: false,
  })
  return (
    <Dialog title="Resend events" onClose={onClose}>
      <DialogForm of={form} action="Resend events" onCancel={onClose}>
        <Radio.Group
          label="Which events"
          value={values.which}
          onChange={(which) => change({ which: which as typeof values.which })}
        >
          <Radio
            mt={8}
            value="failed"
            label="Failed events"
            description="Events whose last delivery failed. They keep their IDs."
          />
          <Radio
            mt={12}
            value="all"
            label="All matching events"
            description="Including events from before the webhook existed or while it was off, oldest first and marked as replay."
          />
        </Radio.Group>
        <Select label="From" data={periods} {...choice('since')} />
      </DialogForm>
    </Dialog>
  )
}

type Sent = { id: string; since: string }

async function resendFailed(sent: Sent) {
  const { queued } = await api.retryFailedWebhookDeliveries(sent)
  say(queued ? `${asNumber(queued)} ${queued === 1 ? 'event is' : 'events are'} sent again` : 'No event has failed')
}

async function replay(sent: Sent) {
  const { job_id } = await api.replayWebhookEvents(sent)
  jobStarted(job_id)
}

function DeleteWebhook({ webhook, onClose }: Props) {
  const navigate = useNavigate()
  const changed = useWebhooksChanged()
  return (
    <Confirm
      title="Delete this webhook?"
      action="Delete"
      act={() => api.deleteWebhook({ id: webhook.id })}
      onDone={async () => {
        say('Webhook deleted')
        await navigate({ to: companySections.webhooks.to })
        await changed()
      }}
      onClose={onClose}
    >
      <p>
        <bdi>{shortAddress(webhook.target_url)}</bdi> will receive no more events, and the log of its deliveries is
        deleted. This can’t be undone.
      </p>
    </Confirm>
  )
}
