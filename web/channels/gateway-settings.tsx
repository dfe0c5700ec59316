import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../client/api.ts'
import { complain, say } from '../ui/basics/notices.tsx'
import { Section } from '../ui/basics/page.tsx'
import { Confirm } from '../ui/form/dialog.tsx'
import { Form, FormSubmit } from '../ui/form/form.tsx'
import { rulesOf } from '../ui/form/rules-of.ts'
import { useForm } from '../ui/form/use-form.ts'
import { asNearMoment } from '../ui/text/moments.ts'
import css from './channels.module.css'
import { type ChannelDetails, useChannelsChanged } from './channels.ts'
import { ApiSecret, valuesOf } from './connect-api-channel.tsx'
import { CopiedValues } from './copied-values.tsx'
import { ExampleGateway } from './example-gateway.tsx'

export const GatewaySettings = ({ of: channel }: { of: ChannelDetails }) =>
  channel.kind === 'api' ? <ApiSettings of={channel} /> : <ProviderSettings of={channel} />

const ApiSettings = ({ of: channel }: { of: ChannelDetails }) => {
  const { post_address, fetch_address, webhook_url } = channel.gateway!
  const addresses = { post_address: post_address ?? '', fetch_address: fetch_address ?? '', webhook_url }
  return (
    <>
      <Section
        title="Addresses"
        about={`Where your app posts messages${webhook_url ? '' : ' and fetches outgoing ones'}.`}
      >
        <CopiedValues of={valuesOf(addresses)} />
      </Section>
      <Section title="Webhook" about="Optional: where Kith posts outgoing messages. Without it, your app fetches them.">
        <WebhookAddress of={channel} />
      </Section>
      <Section title="Example" about="A complete gateway in one file, without dependencies.">
        <ExampleGateway of={addresses} />
      </Section>
      <Section title="Secret" about="Signs requests in both directions (Standard Webhooks).">
        <Secret of={channel} />
      </Section>
    </>
  )
}

const where: Partial<Record<ChannelDetails['kind'], string>> = {
  sms: 'In the Twilio console, open the phone number and enter this URL under Messaging, as a webhook with HTTP POST.',
  whatsapp:
    'In Meta’s app dashboard, open WhatsApp, Configuration, enter both under Webhook, and subscribe to messages.',
}

const ProviderSettings = ({ of: channel }: { of: ChannelDetails }) => (
  <>
    {channel.gateway!.setup.length > 0 && (
      <Section title="Receiving" about={where[channel.kind] ?? ''}>
        <CopiedValues of={channel.gateway!.setup} />
      </Section>
    )}
    <Section title="Test" about="Sends a short message to one of your addresses.">
      <TestMessage of={channel} />
    </Section>
  </>
)

function TestMessage({ of: channel }: { of: ChannelDetails }) {
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../contract/gateway-kinds.ts'),
      ({ gatewayKinds }) => gatewayKinds.sendTestMessage.input,
    ),
    initial: { to: '' },
    ask: ({ to }) => ({ id: channel.id, to }),
    send: api.sendTestMessage,
    onDone: ({ is_success, reason }) =>
      is_success ? say('Test message sent') : complain('The test was not sent', reason),
    isGuarded: false,
  })
  return (
    <Form of={form}>
      <TextInput
        label={channel.kind === 'telegram' ? 'Chat ID' : 'Phone number'}
        description={
          channel.kind === 'telegram'
            ? 'The chat ID of someone who has written to the bot, as shown in their messages.'
            : undefined
        }
        autoComplete="off"
        {...text('to')}
      />
      <FormSubmit of={form}>Send a test</FormSubmit>
    </Form>
  )
}

function WebhookAddress({ of: channel }: { of: ChannelDetails }) {
  const changed = useChannelsChanged()
  const valuesOf = ({ gateway }: ChannelDetails) => ({ webhook_url: gateway?.webhook_url ?? '' })
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../contract/gateways.ts'),
      ({ gateways }) => gateways.updateApiChannel.input,
    ),
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
      is_success ? say(`The gateway responded with ${status} after ${ms} ms.`) : complain('The test failed', reason),
    onError: (error) => complain('The test was not sent', error),
  })
  return (
    <Form of={form}>
      <TextInput
        label="Webhook URL"
        description="Leave it empty if your app fetches outgoing messages."
        placeholder="https://"
        autoComplete="off"
        spellCheck={false}
        {...text('webhook_url')}
      />
      <div className={css.actions}>
        <Button type="submit" loading={form.isPending}>
          Save webhook
        </Button>
        {channel.gateway!.webhook_url && (
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            Send a test
          </Button>
        )}
      </div>
    </Form>
  )
}

function Secret({ of: { id, gateway } }: { of: ChannelDetails }) {
  const [isAsked, ask] = useState(false)
  const [secret, setSecret] = useState<string>()
  const changed = useChannelsChanged()
  const until = gateway!.old_secret_expires_at
  return (
    <div className={css.lines}>
      <Button variant="default" onClick={() => ask(true)}>
        Rotate secret
      </Button>
      {until && Date.parse(until) > Date.now() && (
        <span className={css.hint}>The previous secret works until {asNearMoment(until)}.</span>
      )}
      {isAsked && (
        <Confirm
          title="Rotate the secret?"
          action="Rotate secret"
          isHarmless
          act={async () => setSecret((await api.renewChannelSecret({ id })).secret)}
          onDone={() => void changed()}
          onClose={() => ask(false)}
        >
          <p>The current secret works for another 24 hours, so your app keeps working until you switch.</p>
        </Confirm>
      )}
      {secret && <ApiSecret title="New secret" secret={secret} onClose={() => setSecret(undefined)} />}
    </div>
  )
}
