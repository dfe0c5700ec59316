import { SegmentedControl, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { dateFormat } from '../../../../contract/shared/date-format.ts'
import type { languages } from '../../../../contract/shared/shapes.ts'
import { themeChoices, useShortcutsOn, useThemeChoice } from '../../../account/choices.ts'
import { memberPage } from '../../../client/areas.ts'
import { useChoose, useSetMyPicture, useSignedIn, useUpdateMe } from '../../../client/session.ts'
import { AnchorLink } from '../../../ui/basics/links.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { DayInput } from '../../../ui/form/date-range.tsx'
import form from '../../../ui/form/form.module.css'
import { Form, FormSubmit, NameForm } from '../../../ui/form/form.tsx'
import { PictureField } from '../../../ui/form/picture-field.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { languageChoices, nameOfLanguage, nameOfTimeZone, timeZoneChoices } from '../../../ui/text/numbers.ts'
import type { Theme } from '../../../ui/theme/theme.ts'
import { ProfilePage } from '../profile-page.tsx'
import css from './profile.module.css'

export function Profile() {
  const { me } = useSignedIn()
  const { theme, choose } = useThemeChoice()
  const [shortcuts, setShortcuts] = useShortcutsOn()
  const { mutateAsync: setPicture } = useSetMyPicture()
  return (
    <ProfilePage title="Profile" lead={`${me.role} at ${me.company_name}.`}>
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
      <Section title="Language and time" about="How dates, times, numbers and money are shown to you.">
        <RegionFields />
      </Section>
      <Section
        title="Away"
        about="While you are away, new website leads that are assigned round robin go to the others. Colleagues see that you are away when they choose an owner."
      >
        <AwayForm />
      </Section>
      <Section title="Theme" about="System follows this device’s setting.">
        <SegmentedControl
          aria-label="Theme"
          data={themeChoices}
          value={theme}
          onChange={(value) => choose(value as Theme)}
        />
      </Section>
      <Section title="Keyboard" about="Saved to your account, on every device.">
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
      <AnchorLink inherit underline="always" to={memberPage} params={{ id: me.id }}>
        your member page
      </AnchorLink>
      .
    </>
  )
}

function ProfileForm() {
  const { me } = useSignedIn()
  const { mutateAsync } = useUpdateMe()
  return (
    <NameForm
      label="Your name"
      autoComplete="name"
      name={me.name}
      input={rulesOf(
        () => import('../../../../contract/me.ts'),
        ({ me }) => me.updateMe.input,
      )}
      save={mutateAsync}
    />
  )
}

/** Both days count. Without days, the user is here. */
function AwayForm() {
  const { me } = useSignedIn()
  const { mutateAsync } = useUpdateMe()
  const { form, values, errors, isDirty, change } = useForm({
    input: rulesOf(
      () => import('../../../../contract/me.ts'),
      ({ me }) => me.updateMe.input.pick({ away_from: true, away_until: true }),
    ),
    initial: daysOf(me),
    ask: ({ away_from, away_until }) => ({ away_from: away_from || null, away_until: away_until || null }),
    send: mutateAsync,
    read: daysOf,
    onDone: ({ away_from }) => say(away_from ? 'Your days away are saved.' : 'You are no longer away.'),
  })
  return (
    <Form of={form}>
      <div className={css.away}>
        <DayInput
          label="Away from"
          value={values.away_from}
          max={values.away_until}
          error={errors.away_from}
          onChange={(away_from) => change({ away_from })}
        />
        <DayInput
          label="Until"
          value={values.away_until}
          min={values.away_from}
          error={errors.away_until}
          onChange={(away_until) => change({ away_until })}
        />
      </div>
      <FormSubmit of={form} disabled={!isDirty}>
        Save days away
      </FormSubmit>
    </Form>
  )
}

const daysOf = ({ away_from, away_until }: { away_from: string | null; away_until: string | null }) => ({
  away_from: away_from ?? '',
  away_until: away_until ?? '',
})

type Language = (typeof languages)[number]

/** Each choice is kept as soon as it is made. */
function RegionFields() {
  const { me, company } = useSignedIn()
  const choose = useChoose()
  const refused = (error: Error) => complain('Your choice was not saved', error)
  const [zones] = useState(() => timeZoneChoices(me.time_zone ?? company.time_zone))
  const asCompany = (name: string) => ({ value: '', label: `Company default: ${name}` })
  return (
    <div className={form.fields}>
      <Select
        label="Language"
        data={[asCompany(nameOfLanguage(company.language)), ...languageChoices]}
        value={me.language ?? ''}
        onChange={(value) => choose({ language: (value || null) as Language | null }, refused)}
        searchable
        nothingFoundMessage="No matches"
      />
      <Select
        label="Time zone"
        data={[asCompany(nameOfTimeZone(company.time_zone)), ...zones]}
        value={me.time_zone ?? ''}
        onChange={(value) => choose({ time_zone: value || null }, refused)}
        searchable
        nothingFoundMessage="No matches"
      />
      <p className={css.sample}>
        For example {sample(me.language ?? company.language, me.time_zone ?? company.time_zone, company.currency)}
      </p>
    </div>
  )
}

function sample(language: string, timeZone: string, currency: string) {
  const now = dateFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  const money = new Intl.NumberFormat(language, { style: 'currency', currency })
  return `${now.format(new Date())} and ${money.format(1234.5)}`
}
