import { Select, TextInput } from '@mantine/core'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../../contract/index.ts'
import type { mailSecurities } from '../../../../contract/mail.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Form, FormSubmit, PasswordField } from '../../../ui/form/form.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import css from './mail.module.css'

export function MailForm({ settings }: { settings: MailSettings }) {
  const { company } = useSignedIn()
  const client = useQueryClient()
  const { form, values, change, text, number, errors } = useForm({
    input: rulesOf(
      () => import('../../../../contract/mail.ts'),
      ({ mail }) => mail.updateMailSettings.input,
    ),
    initial: valuesOf(settings, company.name),
    ask: ({ username, password, port, ...rest }) => ({
      ...rest,
      port: Number(port),
      username: username.trim() || null,
      // Without a user name there is nothing to sign in with; otherwise an empty field keeps what is stored.
      password: username.trim() ? password || undefined : null,
    }),
    send: api.updateMailSettings,
    read: (saved) => valuesOf(saved, company.name),
    onDone: (saved) => {
      client.setQueryData(mailQuery.queryKey, saved)
      say('Mail server saved. Send a test email to check that it works.')
    },
  })
  const keeps = settings.source === 'company' && settings.has_password
  return (
    <Form of={form}>
      <TextInput
        label="Server"
        placeholder="smtp.example.com"
        spellCheck={false}
        autoComplete="off"
        {...text('host')}
      />
      <div className={css.pair}>
        <Select
          label="Security"
          data={securityChoices}
          value={values.security}
          error={errors.security}
          onChange={(security) =>
            change({ security: security as Security, port: portAfter(values, security as Security) })
          }
        />
        <NumberField label="Port" isWhole {...number('port')} />
      </div>
      <TextInput
        label="User name"
        description="Often your email address. Leave empty if the server does not require one."
        spellCheck={false}
        autoComplete="off"
        {...text('username')}
      />
      <PasswordField
        label="Password"
        description={keeps ? 'Leave empty to keep the current password.' : undefined}
        {...text('password')}
        autoComplete="new-password"
      />
      <TextInput
        label="From name"
        description="The sender name that recipients see."
        autoComplete="off"
        {...text('from_name')}
      />
      <TextInput
        label="From address"
        type="email"
        placeholder="crm@example.com"
        autoComplete="off"
        {...text('from_email')}
      />
      <FormSubmit of={form}>Save mail server</FormSubmit>
    </Form>
  )
}

/** What belongs to the installation is not the company's to change, so then the form starts empty. */
function valuesOf(settings: MailSettings, companyName: string) {
  const own = settings.source === 'company' ? settings : undefined
  return {
    host: own?.host ?? '',
    port: (own?.port ?? 587) as number | string,
    security: own?.security ?? ('starttls' as Security),
    username: own?.username ?? '',
    password: '',
    from_name: own?.from_name ?? companyName,
    from_email: own?.from_email ?? '',
  }
}

type Security = (typeof mailSecurities)[number]

const ports: Record<Security, number> = { tls: 465, starttls: 587, none: 25 }

const securityChoices: { value: Security; label: string }[] = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: 'None, unprotected' },
]

/** The port follows the security setting until the user enters another one. */
const portAfter = (now: { port: number | string; security: Security }, next: Security) =>
  Number(now.port) === ports[now.security] || now.port === '' ? ports[next] : now.port

export type MailSettings = Output<typeof contract.getMailSettings>

export const mailQuery = queryOptions({ queryKey: ['mail'], queryFn: () => api.getMailSettings({}) })
