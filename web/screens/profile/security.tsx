import { Section } from '../../ui/section.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfilePage } from './profile-page.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'

export const Security = () => (
  <ProfilePage title="Security" lead="How you sign in, and where you are signed in.">
    <Section title="Password" about="Changing it ends your sessions on other devices.">
      <PasswordForm />
    </Section>
    <Section title="Two-factor sign-in" about="A code from your phone, asked for after your password.">
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
      about="The browsers in which you are signed in. One you do not know? Sign it out and change your password."
    >
      <Sessions />
    </Section>
  </ProfilePage>
)
