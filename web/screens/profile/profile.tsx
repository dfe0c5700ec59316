import { SegmentedControl, Switch } from '@mantine/core'
import { useSignedIn } from '../../session.ts'
import type { Theme } from '../../ui/color-scheme.ts'
import { Section } from '../../ui/section.tsx'
import { useShortcutsOn } from '../frame/shortcut-keys.ts'
import { themeChoices, useThemeChoice } from '../frame/theme-choice.ts'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'
import { ProfilePage } from './profile-page.tsx'
import { SignOutEverywhere } from './sign-out-everywhere.tsx'

export function Profile() {
  const { me } = useSignedIn()
  const { theme, choose } = useThemeChoice()
  const [shortcuts, setShortcuts] = useShortcutsOn()
  return (
    <ProfilePage title="Profile" lead={`Signed in as ${me.email}, ${me.role} of ${me.company_name}.`}>
      <Section title="You" about="How your colleagues see you.">
        <ProfileForm />
      </Section>
      <Section title="Password" about="Changing it ends your sessions on other devices.">
        <PasswordForm />
      </Section>
      <Section title="Sessions" about="Ends every session of yours, this one included.">
        <SignOutEverywhere />
      </Section>
      <Section title="Theme" about="System follows the setting of this device.">
        <SegmentedControl
          aria-label="Theme"
          data={themeChoices}
          value={theme}
          onChange={(value) => choose(value as Theme)}
        />
      </Section>
      <Section title="Keyboard" about="Kept in this browser.">
        <Switch
          label="Single-key shortcuts"
          description="Press ? to see them all."
          checked={shortcuts}
          onChange={(event) => setShortcuts(event.currentTarget.checked)}
        />
      </Section>
    </ProfilePage>
  )
}
