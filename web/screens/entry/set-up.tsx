import { Button, Select, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import type { contract } from '../../../contract/index.ts'
import type { Input, Output } from '../../../contract/operation.ts'
import { countryCodes, countryName } from '../../../contract/regions/countries.ts'
import { currencyOf, type Region, regionOfBrowser } from '../../../contract/regions/regions.ts'
import { api } from '../../client/api.ts'
import { sessionQuery } from '../../client/session.ts'
import { Form, PasswordField } from '../../ui/form/form.tsx'
import { rulesOf } from '../../ui/form/rules-of.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { currencyChoices, languageChoices, timeZoneChoices } from '../../ui/text/numbers.ts'
import { useLinkToken } from './account-link.tsx'
import css from './entry.module.css'
import { Entry, useEntering } from './entry.tsx'

export function SetUp() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const token = useLinkToken('kith-set-up-token')
  if (!token && session.state === 'set_up' && !session.open) return <ClosedSetUp />
  return (
    <NewCompany
      title="Set up Kith"
      lead="Create your company and your own account. You will be its first Admin."
      send={(values) => api.setUp({ ...values, token })}
    />
  )
}

/** Kith is not set up yet, and this visitor is not on the server's own computer. */
const ClosedSetUp = () => (
  <Entry
    title="Kith is not set up yet"
    lead="To set up Kith from another computer, you need this server’s one-time link."
  >
    <ol className={css.steps}>
      <li>
        Look at the server’s terminal, where <code>npm start</code> runs.
      </li>
      <li>Open the one-time link printed there in this browser.</li>
      <li>Or open Kith in a browser on the server itself.</li>
    </ol>
  </Entry>
)

type Props = {
  title: string
  lead: string
  send: (values: Input<typeof contract.signUp>) => Promise<Output<typeof contract.signUp>>
  /** The address, where it is confirmed already. */
  email?: string
  below?: ReactNode
}

/** A company and its first Admin: by set-up, or by sign-up where that is open. */
export function NewCompany({ title, lead, send, email, below }: Props) {
  const { enter } = useEntering()
  const { first, choices, withCountry } = useRegion()
  const { form, text, choice, values, change } = useForm({
    input: rulesOf(
      () => import('../../../contract/set-up.ts'),
      ({ setUp }) => setUp.signUp.input,
    ),
    isGuarded: false,
    initial: { company_name: '', name: '', email: email ?? '', password: '', ...first },
    send,
    onDone: enter,
  })
  return (
    <Entry title={title} lead={lead} below={below}>
      <Form of={form} className={css.form}>
        <TextInput label="Company name" autoComplete="organization" autoFocus {...text('company_name')} />
        <TextInput label="Your name" autoComplete="name" {...text('name')} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          {...(email && { readOnly: true, variant: 'filled' })}
          {...text('email')}
        />
        <PasswordField
          description="At least 8 characters; 15 or more is stronger."
          autoComplete="new-password"
          {...text('password')}
        />
        <fieldset className={css.region}>
          <legend>Region</legend>
          <Select
            {...always}
            label="Country"
            data={choices.countries}
            {...choice('country')}
            onChange={(country) => country && change(withCountry(values, country))}
          />
          <Select {...always} label="Currency" data={choices.currencies} {...choice('currency')} />
          <Select {...always} label="Time zone" data={choices.zones} {...choice('time_zone')} />
          <Select {...always} label="Language" data={languageChoices} {...choice('language')} />
          <p>For money, dates and phone numbers. You can change it later.</p>
        </fieldset>
        <Button type="submit" fullWidth mt={4} loading={form.isPending}>
          Create company
        </Button>
        <p className={css.next}>Next: import contacts, invite your team, connect an agent.</p>
      </Form>
    </Entry>
  )
}

const always = { searchable: true, nothingFoundMessage: 'No match' } as const

/** What the browser says about the region, and what follows from another country as long as it was not chosen. */
function useRegion() {
  const [first] = useState(() => regionOfBrowser(navigator.languages, Intl.DateTimeFormat().resolvedOptions().timeZone))
  const choices = useMemo(
    () => ({
      countries: countryCodes
        .map((code) => ({ value: code, label: countryName(code, 'en') }))
        .sort((a, b) => a.label.localeCompare(b.label, 'en')),
      currencies: currencyChoices(),
      zones: timeZoneChoices(first.time_zone),
    }),
    [first],
  )
  /** The currency follows the country until someone chooses another one. */
  const withCountry = (now: Region, country: string): Partial<Region> => ({
    country,
    ...(now.currency === (currencyOf(now.country) ?? 'USD') && { currency: currencyOf(country) ?? 'USD' }),
  })
  return { first, choices, withCountry }
}
