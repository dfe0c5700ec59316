import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { gateways } from '../../contract/gateways.ts'
import { api } from '../client/api.ts'
import { CopyCode } from '../ui/code.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Form, FormSubmit } from '../ui/form.tsx'
import { asNearMoment } from '../ui/moments.ts'
import { complain, say } from '../ui/notices.tsx'
import { Section } from '../ui/page.tsx'
import { useForm } from '../ui/use-form.ts'
import css from './channels.module.css'
import { type ChannelDetails, useChannelsChanged } from './channels.ts'
import { ApiSecret } from './connect-api-channel.tsx'

export const GatewaySettings = ({ of: channel }: { of: ChannelDetails }) => (
  <>
    <Section title="Addresses" about="Where your program posts messages, and where it fetches outgoing ones.">
      <dl className={css.addresses}>
        <dt>Post messages and states to</dt>
        <dd>
          <CopyCode value={channel.gateway!.post_address} what="address" />
        </dd>
        <dt>Fetch outgoing messages from</dt>
        <dd>
          <CopyCode value={channel.gateway!.fetch_address} what="address" />
        </dd>
      </dl>
    </Section>
    <Section title="Webhook" about="Where Kith posts outgoing messages. Without it, your program fetches them.">
      <WebhookAddress of={channel} />
    </Section>
    <Section title="Secret" about="Signs in both directions, as Standard Webhooks asks.">
      <Secret of={channel} />
    </Section>
  </>
)

function WebhookAddress({ of: channel }: { of: ChannelDetails }) {
  const changed = useChannelsChanged()
  const valuesOf = ({ gateway }: ChannelDetails) => ({ webhook_url: gateway?.webhook_url ?? '' })
  const { form, text } = useForm({
    input: gateways.updateApiChannel.input,
    initial: valuesOf(channel),
    ask: ({ webhook_url }) => ({ id: channel.id, webhook_url: webhook_url.trim() || null }),
    send: api.updateApiChannel,
    read: valuesOf,
    onDone: async (saved) => {
      say('Webhook saved')
      await changed(saved)
    },
  })
  const test = useMutation({
    mutationFn: () => api.testApiChannel({ id: channel.id }),
    onSuccess: ({ is_success, status, ms, reason }) =>
      is_success
        ? say(`The gateway answered ${status} after ${ms} ms.`)
        : complain('The test failed', new Error(reason ?? undefined)),
    onError: (error) => complain('The test was not sent', error),
  })
  return (
    <>
      <Form of={form}>
        <TextInput
          label="Webhook address"
          placeholder="https://"
          autoComplete="off"
          spellCheck={false}
          {...text('webhook_url')}
        />
        <FormSubmit of={form}>Save webhook</FormSubmit>
      </Form>
      {channel.gateway!.webhook_url && (
        <div className={css.actions}>
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            Send a test
          </Button>
        </div>
      )}
    </>
  )
}

function Secret({ of: { id, gateway } }: { of: ChannelDetails }) {
  const [isAsked, ask] = useState(false)
  const [secret, setSecret] = useState<string>()
  const changed = useChannelsChanged()
  const until = gateway!.old_secret_expires_at
  return (
    <div className={css.actions}>
      <Button variant="default" onClick={() => ask(true)}>
        Make a new secret
      </Button>
      {until && Date.parse(until) > Date.now() && (
        <span className={css.hint}>The secret before this one counts until {asNearMoment(until)}.</span>
      )}
      {isAsked && (
        <Confirm
          title="Make a new secret?"
          action="Make a new secret"
          isHarmless
          act={async () => setSecret((await api.rotateChannelSecret({ id })).secret)}
          onDone={() => void changed()}
          onClose={() => ask(false)}
        >
          <p>The current one counts for another 24 hours, so that your program keeps working until you change it.</p>
        </Confirm>
      )}
      {secret && <ApiSecret title="New secret" of={{ secret }} onClose={() => setSecret(undefined)} />}
    </div>
  )
}
