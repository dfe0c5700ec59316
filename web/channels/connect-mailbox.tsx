import { Button, Radio, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mailboxProviders } from '../../contract/channels.ts'
import type { contract } from '../../contract/index.ts'
import { mailSecurities } from '../../contract/mail.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { useSignedIn } from '../client/session.ts'
import { wordsOf } from '../ui/basics/errors.ts'
import { say } from '../ui/basics/notices.tsx'
import { FormFailure } from '../ui/basics/states.tsx'
import { Dialog } from '../ui/form/dialog.tsx'
import { DialogForm, PasswordField } from '../ui/form/form.tsx'
import { NumberField } from '../ui/form/number-field.tsx'
import { rulesOf } from '../ui/form/rules-of.ts'
import { useForm } from '../ui/form/use-form.ts'
import css from './channels.module.css'
import { type Channel, useChannelsChanged } from './channels.ts'

type Servers = Output<typeof contract.getMailServers>
type Server = Servers['imap']

type Props = {
  /** What it is, unless the user chooses. */
  isPersonal: boolean
  onDone: (channel: Channel) => void
  onClose: () => void
}

/** First the address; the servers follow from it. */
export function ConnectMailbox({ isPersonal: initially, onDone, onClose }: Props) {
  const [found, setFound] = useState<{ address: string; servers: Servers }>()
  const { may } = useSignedIn()
  const [isPersonal, setPersonal] = useState(initially || !may('channels.manage'))
  return (
    <Dialog title="Connect a mailbox" size={480} tall onClose={onClose}>
      {found ? (
        <Servers
          {...found}
          isPersonal={isPersonal}
          onBack={() => setFound(undefined)}
          onDone={onDone}
          onClose={onClose}
        />
      ) : (
        <Address
          isPersonal={isPersonal}
          onPersonal={may('channels.manage') ? setPersonal : undefined}
          onFound={setFound}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

type AddressProps = {
  isPersonal: boolean
  onPersonal: ((is: boolean) => void) | undefined
  onFound: (found: { address: string; servers: Servers }) => void
  onClose: () => void
}

const onlyMe = 'Only you can read it; Admins cannot. You can share it later.'

function Address({ isPersonal, onPersonal, onFound, onClose }: AddressProps) {
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../contract/channels.ts'),
      ({ channels }) => channels.getMailServers.input,
    ),
    initial: { address: '' },
    send: async ({ address }) => ({ address, servers: await api.getMailServers({ address }) }),
    onDone: onFound,
    isGuarded: false,
  })
  return (
    <DialogForm of={form} action="Continue" onCancel={onClose}>
      <TextInput
        label="Email address"
        type="email"
        placeholder="support@example.com"
        autoComplete="off"
        data-autofocus
        {...text('address')}
      />
      {onPersonal && (
        <Radio.Group
          label="Who can read it"
          value={isPersonal ? 'me' : 'team'}
          onChange={(value) => onPersonal(value === 'me')}
        >
          <div className={css.readers}>
            <Radio value="team" label="Team" description="Everyone in the company can read and answer its messages." />
            <Radio value="me" label="Only me" description={onlyMe} />
          </div>
        </Radio.Group>
      )}
      {!onPersonal && <p className={css.hint}>{onlyMe}</p>}
    </DialogForm>
  )
}

type ServersProps = {
  address: string
  servers: Servers
  isPersonal: boolean
  onBack: () => void
  onDone: Props['onDone']
  onClose: () => void
}

function Servers({ address, servers, isPersonal, onBack, onDone, onClose }: ServersProps) {
  const { me } = useSignedIn()
  const changed = useChannelsChanged()
  const [isOpen, setOpen] = useState(false)
  const { form, values, change, text, errors } = useForm({
    input: rulesOf(
      () => import('../../contract/channels.ts'),
      ({ channels }) => channels.connectMailbox.input,
    ),
    initial: {
      name: isPersonal ? me.name : address,
      username: address,
      password: '',
      imap: servers.imap,
      smtp: servers.smtp,
    },
    ask: (entered) => ({ ...entered, address, is_personal: isPersonal }),
    send: api.connectMailbox,
    onDone: async (channel) => {
      say('Mailbox connected. Syncing messages from the last 90 days.')
      await changed()
      onDone(channel)
    },
    focusOnRefusal: 'password',
    isGuarded: false,
  })
  const hasServerError = Object.keys(errors).some((path) => /^(imap|smtp|username)/.test(path))
  // They stay open while the error is being corrected.
  if (hasServerError && !isOpen) setOpen(true)
  return (
    <DialogForm of={form} action="Connect" onCancel={onClose}>
      <p className={css.chosen}>
        <bdi>{address}</bdi>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onBack}>
          Change
        </Button>
      </p>
      {(servers.provider ? [servers.provider] : mailboxProviders).map((provider) => (
        <ProviderSignIn
          key={provider}
          provider={provider}
          isGuess={!servers.provider}
          name={values.name}
          isPersonal={isPersonal}
        />
      ))}
      {servers.note && <p className={css.hint}>{servers.note}</p>}
      {isOpen && <TextInput label="User name" autoComplete="off" spellCheck={false} {...text('username')} />}
      <PasswordField label="Password or app password" autoComplete="new-password" autoFocus {...text('password')} />
      <TextInput
        label="Name"
        description="Shown to your team and as the sender."
        autoComplete="off"
        {...text('name')}
      />
      {isOpen ? (
        <MailServers of={values} errors={errors} onChange={change} />
      ) : (
        <p className={css.found}>
          <span>
            Detected servers: <b>{values.imap.host}</b> (incoming) and <b>{values.smtp.host}</b> (outgoing). They are
            tested when you connect.
          </span>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setOpen(true)}>
            Change servers
          </Button>
        </p>
      )}
    </DialogForm>
  )
}

const providerNames = { google: 'Google', microsoft: 'Microsoft' } as const

type SignInProps = {
  provider: keyof typeof providerNames
  name?: string
  isPersonal?: boolean
  /** The address is of a domain that any provider may serve. */
  isGuess?: boolean
  /** Signs in again for this one. */
  channelId?: string
}

/** Away to the provider; it sends the browser back. */
export function ProviderSignIn({ provider, name, isPersonal = true, isGuess = false, channelId }: SignInProps) {
  const { data: providers } = useQuery({
    queryKey: ['inbox', 'providers'],
    queryFn: async () => (await api.listMailboxProviders({})).items,
  })
  const [failure, setFailure] = useState<string>()
  const [isPending, setPending] = useState(false)
  const known = providers?.find((one) => one.provider === provider)
  if (!known || (isGuess && !known.is_set_up)) return null
  const label = providerNames[provider]
  if (!known.is_set_up)
    return (
      <p className={css.hint}>
        To sign in with {label} instead of a password, the person who runs your Kith server has to add its client ID.
        See the documentation about mailboxes.
      </p>
    )
  const begin = async () => {
    setPending(true)
    try {
      const { address } = await api.startMailboxSignIn({
        provider,
        ...(name && { name }),
        is_personal: isPersonal,
        ...(channelId && { channel_id: channelId }),
      })
      location.assign(address)
    } catch (error) {
      setFailure(wordsOf(error))
      setPending(false)
    }
  }
  return (
    <>
      <FormFailure>{failure}</FormFailure>
      <Button variant="default" loading={isPending} onClick={() => void begin()}>
        Sign in with {label}
      </Button>
    </>
  )
}

const ports = { imap: { tls: 993, starttls: 143, none: 143 }, smtp: { tls: 465, starttls: 587, none: 25 } } as const

const securityNames: Record<Server['security'], string> = {
  tls: 'TLS',
  starttls: 'STARTTLS',
  none: 'None, unprotected',
}

type MailServersProps = {
  of: Record<'imap' | 'smtp', Server>
  errors: Record<string, string>
  onChange: (server: Partial<Record<'imap' | 'smtp', Server>>) => void
}

export const MailServers = ({ of: { imap, smtp }, errors, onChange }: MailServersProps) => (
  <>
    <ServerFields
      label="Incoming mail (IMAP)"
      path="imap"
      of={imap}
      errors={errors}
      onChange={(imap) => onChange({ imap })}
    />
    <ServerFields
      label="Outgoing mail (SMTP)"
      path="smtp"
      of={smtp}
      errors={errors}
      onChange={(smtp) => onChange({ smtp })}
    />
  </>
)

type FieldsProps = {
  label: string
  of: Server
  path: 'imap' | 'smtp'
  errors: Record<string, string>
  onChange: (server: Server) => void
}

function ServerFields({ label, of: server, path, errors, onChange }: FieldsProps) {
  const secure = (security: Server['security']) => {
    const isUsual = server.port === ports[path][server.security]
    onChange({ ...server, security, port: isUsual ? ports[path][security] : server.port })
  }
  return (
    <fieldset className={css.server}>
      <legend>{label}</legend>
      <TextInput
        label="Server"
        spellCheck={false}
        autoComplete="off"
        value={server.host}
        error={errors[`${path}.host`] ?? errors[path]}
        onChange={(event) => onChange({ ...server, host: event.currentTarget.value })}
      />
      <Select
        label="Security"
        data={mailSecurities.map((value) => ({ value, label: securityNames[value] }))}
        value={server.security}
        onChange={(value) => value && secure(value as Server['security'])}
      />
      <NumberField
        label="Port"
        isWhole
        value={server.port}
        error={errors[`${path}.port`]}
        onChange={(value) => onChange({ ...server, port: Number(value) })}
      />
    </fieldset>
  )
}
