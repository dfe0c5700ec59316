import { Button, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { contract } from '../../../contract/index.ts'
import type { Input, Output } from '../../../contract/operation.ts'
import { pages } from '../../../contract/pages.ts'
import { languages } from '../../../contract/shapes.ts'
import { api } from '../../client/api.ts'
import { sessionQuery } from '../../client/session.ts'
import { Form, PasswordField } from '../../ui/form.tsx'
import { useForm } from '../../ui/use-form.ts'
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

/** Nobody has set Kith up, and this visitor comes from another computer than the server's. */
const ClosedSetUp = () => (
  <Entry title="Kith is not set up yet" lead="From another computer, set-up needs the one-time link of this server.">
    <ol className={css.steps}>
      <li>
        Look at the terminal of the server, where <code>npm start</code> runs.
      </li>
      <li>Open the one-time link that it printed there, in this browser.</li>
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
  const { enter } = useEntering(pages.records)
  const { form, text } = useForm({
    input: contract.signUp.input,
    isGuarded: false,
    initial: { company_name: '', name: '', email: email ?? '', password: '' },
    send: (values) => send({ ...values, ...browserLocale() }),
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
          description="At least 8 characters; 15 or more are better."
          autoComplete="new-password"
          {...text('password')}
        />
        <Button type="submit" fullWidth mt={4} loading={form.isPending}>
          Create company
        </Button>
      </Form>
    </Entry>
  )
}

type Language = (typeof languages)[number]

/** What a new company starts with: the time zone of this browser and the nearest language that Kith knows. */
const browserLocale = () => ({
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  language: nearestLanguage(navigator.languages),
})

function nearestLanguage(wished: readonly string[]): Language | undefined {
  for (const wish of wished) {
    const exact = languages.find((known) => known.toLowerCase() === wish.toLowerCase())
    const near = exact ?? languages.find((known) => known.startsWith(`${baseOf(wish)}-`))
    if (near) return near
  }
  return undefined
}

/** Browsers still call Norwegian by the name that covers both of its written forms. */
const baseOf = (tag: string) =>
  tag
    .toLowerCase()
    .split('-')[0]!
    .replace(/^(no|nn)$/, 'nb')
