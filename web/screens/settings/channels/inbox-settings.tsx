import { Switch } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { Part } from '../../../ui/basics/layout.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { Form, FormSubmit } from '../../../ui/form/form.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'

type Settings = Output<typeof contract.getInboxSettings>

const settingsQuery = queryOptions({ queryKey: ['inbox', 'settings'], queryFn: () => api.getInboxSettings({}) })

/** What holds for all channels. */
export function InboxSettings() {
  const settings = useQuery(settingsQuery)
  return (
    <Part title="Rules for all channels">
      <Loaded query={settings} what="rules" small>
        {(settings) => <SettingsForm of={settings} />}
      </Loaded>
    </Part>
  )
}

function SettingsForm({ of: settings }: { of: Settings }) {
  const client = useQueryClient()
  const valuesOf = ({ agents_may_send, retention_days }: Settings) => ({
    agents_may_send,
    retention_days: retention_days as number | string,
  })
  const { form, checked, number } = useForm({
    input: rulesOf(
      () => import('../../../../contract/inbox-settings.ts'),
      ({ inboxSettings }) => inboxSettings.updateInboxSettings.input,
    ),
    initial: valuesOf(settings),
    ask: ({ agents_may_send, retention_days }) => ({ agents_may_send, retention_days: Number(retention_days) }),
    send: api.updateInboxSettings,
    read: valuesOf,
    onDone: (saved) => {
      client.setQueryData(settingsQuery.queryKey, saved)
      say('Rules saved')
    },
  })
  return (
    <Form of={form}>
      <Switch
        label="Agents may send messages"
        description="Through channels that allow it. Otherwise, agents can only propose messages for approval."
        {...checked('agents_may_send')}
      />
      <NumberField
        label="Days to keep email of people who leave"
        description="Only from personal mailboxes that were not shared."
        min={0}
        max={3650}
        isWhole
        {...number('retention_days')}
      />
      <FormSubmit of={form}>Save rules</FormSubmit>
    </Form>
  )
}
