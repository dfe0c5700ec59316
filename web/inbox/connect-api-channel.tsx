import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { gateways } from '../../contract/gateways.ts'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { CopyCode } from '../ui/code.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { DialogForm } from '../ui/form.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { useForm } from '../ui/use-form.ts'
import css from './channels.module.css'
import { type Channel, useChannelsChanged } from './channels.ts'

type Props = { onDone: (channel: Channel) => void; onClose: () => void }
type Made = Output<typeof contract.connectApiChannel>

/** A channel for a program of the company. Its secret is shown here, once. */
export function ConnectApiChannel({ onDone, onClose }: Props) {
  const [made, setMade] = useState<Made>()
  const changed = useChannelsChanged()
  const { form, text } = useForm({
    input: gateways.connectApiChannel.input,
    initial: { name: '', webhook_url: '' },
    ask: ({ name, webhook_url }) => ({ name, webhook_url: webhook_url.trim() || null }),
    send: api.connectApiChannel,
    onDone: async (channel) => {
      setMade(channel)
      await changed()
    },
    isGuarded: false,
  })
  if (made) return <ApiSecret title="API channel added" of={made} onClose={() => onDone(made.channel)} />
  return (
    <Dialog title="Add an API channel" size={520} onClose={onClose}>
      <DialogForm
        of={form}
        about="Your own program carries messages between Kith and any network. The documentation about messaging has an example that runs."
        action="Add channel"
        onCancel={onClose}
      >
        <TextInput label="Name" description="Shown to your team." autoComplete="off" data-autofocus {...text('name')} />
        <TextInput
          label="Webhook address"
          description="Where Kith posts outgoing messages. Leave it empty if your program fetches them."
          placeholder="https://"
          autoComplete="off"
          spellCheck={false}
          {...text('webhook_url')}
        />
      </DialogForm>
    </Dialog>
  )
}

type SecretProps = {
  title: string
  of: { secret: string; post_address?: string; fetch_address?: string }
  onClose: () => void
}

/** Closing it uncopied asks once. */
export function ApiSecret({ title, of: { secret, post_address, fetch_address }, onClose }: SecretProps) {
  const [isCopied, setCopied] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const close = () => (isCopied || isAsked ? onClose() : setAsked(true))
  return (
    <Dialog title={title} size={600} onClose={close}>
      <ShownOnce label="Signing secret" value={secret} copy="Copy secret" onCopied={() => setCopied(true)}>
        <p>
          <strong>Copy the signing secret now.</strong> It is not shown again. Your program signs with it what it posts,
          and checks what comes from Kith.
        </p>
      </ShownOnce>
      {post_address && fetch_address && (
        <dl className={css.addresses}>
          <dt>Post messages and states to</dt>
          <dd>
            <CopyCode value={post_address} what="address" />
          </dd>
          <dt>Fetch outgoing messages from</dt>
          <dd>
            <CopyCode value={fetch_address} what="address" />
          </dd>
        </dl>
      )}
      {isAsked && !isCopied && (
        <p role="alert">You have not copied the secret. If you lose it, make a new one on the page of the channel.</p>
      )}
      <DialogActions>
        <Button variant="default" onClick={close}>
          {isAsked && !isCopied ? 'Close without copying' : 'Done'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
