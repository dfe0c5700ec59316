import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { Dialog, DialogActions } from '../ui/form/dialog.tsx'
import { DialogForm } from '../ui/form/form.tsx'
import { rulesOf } from '../ui/form/rules-of.ts'
import { useForm } from '../ui/form/use-form.ts'
import { ShownOnce } from '../ui/page/shown-once.tsx'
import css from './channels.module.css'
import { type Channel, useChannelsChanged } from './channels.ts'
import { CopiedValues } from './copied-values.tsx'
import { ExampleGateway } from './example-gateway.tsx'

type Props = { onDone: (channel: Channel) => void; onClose: () => void }
type Made = Output<typeof contract.connectApiChannel>

/** A channel for a program of the company. Its secret is shown here, once. */
export function ConnectApiChannel({ onDone, onClose }: Props) {
  const [made, setMade] = useState<Made>()
  const changed = useChannelsChanged()
  const { form, text, values } = useForm({
    input: rulesOf(
      () => import('../../contract/gateways.ts'),
      ({ gateways }) => gateways.connectApiChannel.input,
    ),
    initial: { name: '', webhook_url: '' },
    ask: ({ name, webhook_url }) => ({ name, webhook_url: webhook_url.trim() || null }),
    send: api.connectApiChannel,
    onDone: async (channel) => {
      setMade(channel)
      await changed()
    },
    isGuarded: false,
  })
  if (made)
    return (
      <ApiSecret
        title="API channel added"
        secret={made.secret}
        of={{ ...made, webhook_url: values.webhook_url.trim() || null }}
        onClose={() => onDone(made.channel)}
      />
    )
  return (
    <Dialog title="Add an API channel" size={520} onClose={onClose}>
      <DialogForm
        of={form}
        about="Your app passes messages between Kith and any network. The next step has a working example."
        action="Add channel"
        onCancel={onClose}
      >
        <TextInput label="Name" description="Shown to your team." autoComplete="off" data-autofocus {...text('name')} />
        <TextInput
          label="Webhook URL (optional)"
          description="Leave it empty if your app fetches outgoing messages, as the example does. Otherwise, Kith posts them to this URL."
          placeholder="https://"
          autoComplete="off"
          spellCheck={false}
          {...text('webhook_url')}
        />
      </DialogForm>
    </Dialog>
  )
}

type Addresses = { post_address: string; fetch_address: string; webhook_url: string | null }

/** With a webhook address, messages cannot be fetched. */
export const valuesOf = ({ post_address, fetch_address, webhook_url }: Addresses) => [
  { label: 'Post messages and states to', value: post_address },
  ...(webhook_url ? [] : [{ label: 'Fetch outgoing messages from', value: fetch_address }]),
]

type SecretProps = { title: string; secret: string; of?: Addresses; onClose: () => void }

/** Closing it uncopied asks once. */
export function ApiSecret({ title, secret, of: addresses, onClose }: SecretProps) {
  const [isCopied, setCopied] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const close = () => (isCopied || isAsked ? onClose() : setAsked(true))
  return (
    <Dialog title={title} size={640} tall={Boolean(addresses)} onClose={close}>
      <div className={css.parts}>
        <ShownOnce label="Signing secret" value={secret} copy="Copy secret" onCopied={() => setCopied(true)}>
          <p>
            <strong>Copy the signing secret now.</strong> It is not shown again. Your app uses it to sign its requests
            and to verify requests from Kith.
          </p>
        </ShownOnce>
        {addresses && (
          <>
            <CopiedValues of={valuesOf(addresses)} />
            <section className={css.part} aria-label="Next step">
              <h3>Next: run the example</h3>
              <ExampleGateway of={addresses} secret={secret} onCopied={() => setCopied(true)} />
            </section>
          </>
        )}
        {isAsked && !isCopied && (
          <p role="alert" className={css.bad}>
            You have not copied the secret. If you lose it, rotate it on the channel page.
          </p>
        )}
      </div>
      <DialogActions>
        <Button variant={addresses ? 'filled' : 'default'} onClick={close}>
          {isAsked && !isCopied ? 'Close without copying' : 'Done'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
