import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../../client/api.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { Form, FormSubmit, PasswordField } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { ProfilePage } from '../profile-page.tsx'
import { Passkeys } from './passkeys.tsx'
import { Sessions, sessionsQuery } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'

export const Security = () => (
  <ProfilePage title="Security" lead="How you sign in, and where you are signed in.">
    <Section title="Password" about="Changing it ends your sessions on other devices.">
      <PasswordForm />
    </Section>
    <Section title="Two-factor sign-in" about="A code from your phone, required after your password.">
      <TwoFactor />
    </Section>
    <Section
      title="Passkeys"
      about="Sign in with your fingerprint, your face or the PIN of a device. A passkey counts as both steps."
    >
      <Passkeys />
    </Section>
    <Section
      title="Sessions"
      about="Browsers where you are signed in. If you don’t recognize one, sign it out and change your password."
    >
      <Sessions />
    </Section>
  </ProfilePage>
)

const empty = { current_password: '', new_password: '' }

function PasswordForm() {
  const client = useQueryClient()
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../../../contract/session.ts'),
      ({ session }) => session.updatePassword.input,
    ),
    initial: empty,
    send: api.updatePassword,
    read: () => empty,
    onDone: () => {
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      say('Password changed. Your other sessions have ended.')
    },
  })
  return (
    <Form of={form}>
      <PasswordField label="Current password" autoComplete="current-password" {...text('current_password')} />
      <PasswordField
        label="New password"
        description="At least 8 characters; 15 or more is stronger."
        autoComplete="new-password"
        {...text('new_password')}
      />
      <FormSubmit of={form}>Change password</FormSubmit>
    </Form>
  )
}

export type Props = {
  action: string
  /** What it answers stays with the caller, out of every cache. */
  send: (current_password: string) => Promise<void>
  onCancel: () => void
  children: ReactNode
}
