import { Button, Radio, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { senderNames } from '../../contract/channels.ts'
import { api } from '../client/api.ts'
import { useSignedIn } from '../client/session.ts'
import { complain, say } from '../ui/basics/notices.tsx'
import { Section } from '../ui/basics/page.tsx'
import { Confirm } from '../ui/form/dialog.tsx'
import { Form, FormSubmit, PasswordField } from '../ui/form/form.tsx'
import { rulesOf } from '../ui/form/rules-of.ts'
import { useForm } from '../ui/form/use-form.ts'
import { ChannelRules } from './channel-rules.tsx'
import { PauseButton } from './channel-state.tsx'
import css from './channels.module.css'
import { type ChannelDetails, labelOf, senderOf, useChannelSaved, useChannelsChanged } from './channels.ts'
import { MailServers } from './connect-mailbox.tsx'
import { GatewaySettings } from './gateway-settings.tsx'

type Props = { of: ChannelDetails; onGone: () => void }

/** Only what brings it back, or removes what is left of it. */
const DisconnectedSettings = ({ of: channel, onGone }: Props) => (
  <>
    {channel.imap && channel.smtp && !channel.provider && (
      <Section title="Connect again" about="Existing conversations continue.">
        <Connection key={channel.id} of={channel} />
      </Section>
    )}
    <Section title="Messages" about="Messages received before it was disconnected.">
      <Disconnect of={channel} onGone={onGone} />
    </Section>
  </>
)

export const ChannelSettings = (props: Props) =>
  props.of.state === 'disconnected' ? <DisconnectedSettings {...props} /> : <ConnectedSettings {...props} />

const ConnectedSettings = ({ of: channel, onGone }: Props) => (
  <>
    {channel.gateway && <GatewaySettings of={channel} />}
    <Section
      title={channel.gateway ? 'Name' : 'Name and signature'}
      about={
        channel.gateway ? 'Shown to your team.' : 'The signature is added to every message that people write here.'
      }
    >
      <Sender of={channel} />
    </Section>
    {channel.owner_id !== null && channel.is_mine && (
      <Section title="Sharing" about="Only you can read a personal mailbox until you share it.">
        <Sharing of={channel} />
      </Section>
    )}
    <ChannelRules of={channel} />
    {channel.imap && (
      <Section title="Replies" about="Where replies to your messages go.">
        <Replies of={channel} />
      </Section>
    )}
    {channel.imap && channel.smtp && (
      <Section title="Connection" about="The connection is tested before saving.">
        <Connection key={channel.id} of={channel} />
      </Section>
    )}
    <Section
      title="Disconnect"
      about={
        channel.gateway
          ? 'Kith rejects requests from the gateway and deletes its secret.'
          : 'Kith stops receiving and sending, and deletes the password.'
      }
    >
      <Disconnect of={channel} onGone={onGone} />
    </Section>
  </>
)

/** For kinds of channels with settings of their own. */
export const DisconnectChannel = (props: Props) => (
  <Section title="Disconnect" about="Stop receiving messages through this channel.">
    <Disconnect {...props} />
  </Section>
)

function Sender({ of: channel }: { of: ChannelDetails }) {
  const valuesOf = ({ name, sender_name, signature }: ChannelDetails) => ({
    name,
    sender_name: sender_name as string,
    signature,
  })
  const { me } = useSignedIn()
  const isTeam = channel.kind === 'email' && channel.owner_id === null
  const { form, text, choice } = useForm({
    input: rulesOf(
      () => import('../../contract/channels.ts'),
      ({ channels }) => channels.updateChannel.input,
    ),
    initial: valuesOf(channel),
    ask: ({ sender_name, ...values }) => ({
      id: channel.id,
      ...values,
      ...(isTeam && { sender_name: sender_name as ChannelDetails['sender_name'] }),
    }),
    send: api.updateChannel,
    read: valuesOf,
    onDone: useChannelSaved(),
  })
  return (
    <Form of={form}>
      <TextInput label="Name" autoComplete="off" {...text('name')} />
      {isTeam && (
        <Select
          label="Messages are from"
          description="Automatic replies always use the name of the mailbox."
          data={senderNames.map((value) => ({
            value,
            label: senderOf({ ...channel, sender_name: value }, me.name),
          }))}
          {...choice('sender_name')}
        />
      )}
      {!channel.gateway && (
        <Textarea label="Signature" description="Markdown" autosize minRows={3} maxRows={10} {...text('signature')} />
      )}
      <FormSubmit of={form}>{channel.gateway ? 'Save name' : 'Save signature'}</FormSubmit>
    </Form>
  )
}

function Sharing({ of: { id, is_shared } }: { of: ChannelDetails }) {
  const changed = useChannelsChanged()
  const [isAsked, ask] = useState(false)
  const share = async (is_shared: boolean) => changed(await api.updateChannel({ id, is_shared }))
  const { mutate, isPending } = useMutation({
    mutationFn: share,
    onError: (error) => complain('Sharing was not changed', error),
  })
  return (
    <>
      <Switch
        label="Share with the company"
        description={
          is_shared
            ? 'Everyone in the company can read and answer its messages.'
            : 'Only you can read it; Admins cannot.'
        }
        checked={is_shared}
        disabled={isPending}
        onChange={(event) => (event.currentTarget.checked ? ask(true) : mutate(false))}
      />
      {isAsked && (
        <Confirm
          title="Share this mailbox?"
          action="Share mailbox"
          act={() => share(true)}
          onDone={() => {}}
          onClose={() => ask(false)}
        >
          Everyone in the company can then read all messages, including old ones.
        </Confirm>
      )}
    </>
  )
}

function Replies({ of: { id, address, has_plus_addresses } }: { of: ChannelDetails }) {
  const changed = useChannelsChanged()
  const { mutate, isPending } = useMutation({
    mutationFn: (has_plus_addresses: boolean) => api.updateChannel({ id, has_plus_addresses }),
    onSuccess: changed,
    onError: (error) => complain('Replies were not changed', error),
  })
  const example = address.replace('@', '+…@')
  return (
    <Switch
      label={`Match replies by address (${example})`}
      description={
        isPending && !has_plus_addresses
          ? `Sending a message to ${example} and waiting for it to arrive…`
          : 'Works even if a mail program removes the reply headers. Kith first sends a test message to this address, which must arrive.'
      }
      checked={has_plus_addresses}
      disabled={isPending}
      onChange={(event) => mutate(event.currentTarget.checked)}
    />
  )
}

function Connection({ of: channel }: { of: ChannelDetails }) {
  const [isOpen, setOpen] = useState(false)
  const valuesOf = ({ imap, smtp, username }: ChannelDetails) => ({
    imap: imap!,
    smtp: smtp!,
    username: username ?? '',
    password: '',
  })
  const { form, values, change, text, errors } = useForm({
    input: rulesOf(
      () => import('../../contract/channels.ts'),
      ({ channels }) => channels.updateChannel.input,
    ),
    initial: valuesOf(channel),
    ask: ({ password, ...values }) => ({ id: channel.id, ...values, ...(password && { password }) }),
    send: api.updateChannel,
    read: valuesOf,
    onDone: useChannelSaved(),
    focusOnRefusal: 'password',
  })
  const isGone = channel.state === 'disconnected'
  if (!isOpen && !isGone)
    return (
      <p className={css.found}>
        <span>
          Reads from <b>{channel.imap!.host}</b> and sends via <b>{channel.smtp!.host}</b> as <b>{channel.username}</b>
        </span>
        <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
          Change
        </Button>
      </p>
    )
  return (
    <Form of={form}>
      <TextInput label="User name" autoComplete="off" spellCheck={false} {...text('username')} />
      {!channel.provider && (
        <PasswordField
          label="Password or app password"
          description={isGone ? undefined : 'Leave empty to keep the current one.'}
          autoComplete="new-password"
          {...text('password')}
        />
      )}
      <MailServers of={values} errors={errors} onChange={change} />
      <FormSubmit of={form}>{isGone ? 'Connect again' : 'Save connection'}</FormSubmit>
    </Form>
  )
}

function Disconnect({ of: channel, onGone }: Props) {
  const [isAsked, ask] = useState(false)
  const isGone = channel.state === 'disconnected'
  const [messages, setMessages] = useState<'keep' | 'delete'>(isGone ? 'delete' : 'keep')
  const changed = useChannelsChanged()
  return (
    <div className={css.actions}>
      {channel.kind !== 'chat' && channel.state !== 'paused' && !isGone && <PauseButton of={channel} />}
      <Button variant="default" className={css.danger} onClick={() => ask(true)}>
        {isGone ? 'Delete its messages' : 'Disconnect'}
      </Button>
      {isAsked && (
        <Confirm
          title={isGone ? `Delete the messages of ${labelOf(channel)}?` : `Disconnect ${labelOf(channel)}?`}
          action={isGone ? 'Delete messages' : messages === 'delete' ? 'Disconnect and delete messages' : 'Disconnect'}
          act={() => api.disconnectChannel({ id: channel.id, messages })}
          onDone={async () => {
            say(isGone ? 'Messages are being deleted' : 'Channel disconnected')
            onGone()
            await changed()
          }}
          onClose={() => ask(false)}
        >
          {channel.kind === 'email' && <p>Nothing changes in the mailbox itself.</p>}
          {isGone ? (
            <p>Its conversations in Kith are deleted for everyone. This cannot be undone.</p>
          ) : (
            <Radio.Group
              label="Its messages in Kith"
              value={messages}
              onChange={(value) => setMessages(value as 'keep' | 'delete')}
            >
              <Radio value="keep" mt="xs" label="Keep them" />
              <Radio value="delete" mt="xs" label="Delete them, with their conversations. This cannot be undone." />
            </Radio.Group>
          )}
        </Confirm>
      )}
    </div>
  )
}
