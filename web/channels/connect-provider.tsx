import { TextInput } from '@mantine/core'
import { api } from '../client/api.ts'
import { say } from '../ui/basics/notices.tsx'
import { Dialog } from '../ui/form/dialog.tsx'
import { DialogForm, PasswordField } from '../ui/form/form.tsx'
import { rulesOf } from '../ui/form/rules-of.ts'
import { useForm } from '../ui/form/use-form.ts'
import { type Channel, useChannelsChanged } from './channels.ts'

type Props = { onDone: (channel: Channel) => void; onClose: () => void }

function useConnected({ onDone }: Props) {
  const changed = useChannelsChanged()
  return async (channel: Channel) => {
    say('Channel connected')
    await changed()
    onDone(channel)
  }
}

const plain = { autoComplete: 'off', spellCheck: false } as const
const optional = (name: string) => (name.trim() ? { name } : {})

export function ConnectTelegram(props: Props) {
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../contract/gateway-kinds.ts'),
      ({ gatewayKinds }) => gatewayKinds.connectTelegramBot.input,
    ),
    initial: { token: '', name: '' },
    ask: ({ token, name }) => ({ token, ...optional(name) }),
    send: api.connectTelegramBot,
    onDone: useConnected(props),
    isGuarded: false,
  })
  return (
    <Dialog title="Connect a Telegram bot" size={480} onClose={props.onClose}>
      <DialogForm
        of={form}
        about="In Telegram, write /newbot to @BotFather and copy the token. Kith does the rest."
        action="Connect"
        onCancel={props.onClose}
      >
        <PasswordField label="Token" autoComplete="new-password" data-autofocus {...text('token')} />
        <TextInput label="Name" description="Default: the name of the bot." {...plain} {...text('name')} />
      </DialogForm>
    </Dialog>
  )
}

export function ConnectTwilio(props: Props) {
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../contract/gateway-kinds.ts'),
      ({ gatewayKinds }) => gatewayKinds.connectTwilioNumber.input,
    ),
    initial: { account_sid: '', auth_token: '', number: '', name: '' },
    ask: ({ name, ...values }) => ({ ...values, ...optional(name) }),
    send: api.connectTwilioNumber,
    onDone: useConnected(props),
    isGuarded: false,
  })
  return (
    <Dialog title="Connect a Twilio number" size={480} onClose={props.onClose}>
      <DialogForm
        of={form}
        about="The account SID and the auth token are on the first page of the Twilio console. The next page shows the webhook URL to enter there."
        action="Connect"
        onCancel={props.onClose}
      >
        <TextInput label="Account SID" data-autofocus {...plain} {...text('account_sid')} />
        <PasswordField label="Auth token" autoComplete="new-password" {...text('auth_token')} />
        <TextInput
          label="Phone number"
          description="Including the country code."
          placeholder="+44"
          {...plain}
          {...text('number')}
        />
        <TextInput label="Name" description="Default: the number." {...plain} {...text('name')} />
      </DialogForm>
    </Dialog>
  )
}

export function ConnectWhatsApp(props: Props) {
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../contract/gateway-kinds.ts'),
      ({ gatewayKinds }) => gatewayKinds.connectWhatsAppNumber.input,
    ),
    initial: { phone_number_id: '', business_account_id: '', access_token: '', app_secret: '', name: '' },
    ask: ({ name, ...values }) => ({ ...values, ...optional(name) }),
    send: api.connectWhatsAppNumber,
    onDone: useConnected(props),
    isGuarded: false,
  })
  return (
    <Dialog title="Connect a WhatsApp number" size={480} tall onClose={props.onClose}>
      <DialogForm
        of={form}
        about="For numbers of the WhatsApp Business Platform. Both IDs are in Meta’s app dashboard under WhatsApp, API Setup. Use the token of a system user, which does not expire."
        action="Connect"
        onCancel={props.onClose}
      >
        <TextInput label="Phone number ID" data-autofocus {...plain} {...text('phone_number_id')} />
        <TextInput label="WhatsApp Business account ID" {...plain} {...text('business_account_id')} />
        <PasswordField label="Access token" autoComplete="new-password" {...text('access_token')} />
        <PasswordField
          label="App secret"
          description="Under App settings, Basic."
          autoComplete="new-password"
          {...text('app_secret')}
        />
        <TextInput label="Name" description="Default: the verified name." {...plain} {...text('name')} />
      </DialogForm>
    </Dialog>
  )
}
