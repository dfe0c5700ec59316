import { Anchor, SegmentedControl, Switch, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { themeChoices, useShortcutsOn, useThemeChoice } from '../../account/choices.ts'
import { memberPage } from '../../client/areas.ts'
import { useSetMyPicture, useSignedIn } from '../../client/session.ts'
import type { Theme } from '../../ui/color-scheme.ts'
import { PictureField } from '../../ui/picture-field.tsx'
import { Section } from '../../ui/section.tsx'
import css from './profile.module.css'
import { ProfileForm } from './profile-form.tsx'
import { ProfilePage } from './profile-page.tsx'
import { RegionFields } from './region-fields.tsx'

export function Profile() {
  const { me } = useSignedIn()
  const { theme, choose } = useThemeChoice()
  const [shortcuts, setShortcuts] = useShortcutsOn()
  const { mutateAsync: setPicture } = useSetMyPicture()
  return (
    <ProfilePage title="Profile" lead={`${me.role} of ${me.company_name}.`}>
      <Section title="You" about="How your colleagues see you.">
        <div className={css.you}>
          <PictureField
            label="Your picture"
            pictureId={me.picture_id}
            onChange={(image) => setPicture({ image })}
            round
          />
          <TextInput
            label="Email"
            description={<EmailHint />}
            value={me.email ?? ''}
            readOnly
            variant="filled"
            className={css.email}
          />
          <ProfileForm />
        </div>
      </Section>
      <Section title="Language and time" about="How dates, times, numbers and money are written for you.">
        <RegionFields />
      </Section>
      <Section title="Theme" about="System follows the setting of this device.">
        <SegmentedControl
          aria-label="Theme"
          data={themeChoices}
          value={theme}
          onChange={(value) => choose(value as Theme)}
        />
      </Section>
      <Section title="Keyboard" about="Kept for your account, on every device.">
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

function EmailHint() {
  const { me, may } = useSignedIn()
  if (!may('members.manage')) return 'You sign in with it. Your Admin can change it.'
  return (
    <>
      You sign in with it. Change it on{' '}
      <Anchor
        inherit
        underline="always"
        renderRoot={(props) => <Link {...props} to={memberPage} params={{ id: me.id }} />}
      >
        your member page
      </Anchor>
      .
    </>
  )
}
