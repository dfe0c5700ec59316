import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { Form, FormSubmit } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { Facts } from '../../../ui/page/facts.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { asDay } from '../../../ui/text/moments.ts'
import { type User, useUsersChanged } from '../../../users/users.ts'
import css from './member-links.module.css'
import { type MadeLink, ShownLink } from './member-links.tsx'

export function MemberDetails({ of: user, editable }: { of: User; editable: boolean }) {
  if (!editable)
    return (
      <Section title="Details">
        <Facts
          of={[
            ['Name', user.name],
            ['Email', user.email],
            ['Role', user.role],
            ['Kind', user.kind === 'agent' ? 'Agent' : 'Person'],
          ]}
        />
      </Section>
    )
  return (
    <Section title="Details" about={user.kind === 'agent' ? 'How everyone sees it.' : 'How everyone sees them.'}>
      <DetailsForm of={user} />
      <div className={css.facts}>
        <Facts
          of={[
            [user.state === 'invited' ? 'Invited' : 'Added', user.created_at && asDay(user.created_at)],
            ['Last seen', user.last_seen_at ? <Ago key="seen" at={user.last_seen_at} /> : 'Never'],
            ['Two-factor', user.kind === 'agent' ? null : user.two_factor ? 'On' : 'Off'],
          ]}
        />
      </div>
    </Section>
  )
}

function DetailsForm({ of: user }: { of: User }) {
  const changed = useUsersChanged()
  const isAgent = user.kind === 'agent'
  const [made, setMade] = useState<MadeLink>()
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../../../contract/members.ts'),
      ({ members }) => members.updateUser.input,
    ),
    initial: detailsOf(user),
    ask: ({ name, email }) => ({
      id: user.id,
      name: name || undefined,
      ...(email !== user.email && !isAgent && { email }),
    }),
    send: api.updateUser,
    read: ({ user }) => detailsOf(user),
    onDone: ({ user, confirmation }) => {
      void changed(user)
      if (confirmation) setMade(confirmation)
      else say('Details saved')
    },
  })
  return (
    <>
      <Form of={form}>
        <TextInput label="Name" autoComplete="off" {...text('name')} />
        {!isAgent && (
          <TextInput label="Email" description={aboutEmail(user)} type="email" autoComplete="off" {...text('email')} />
        )}
        <FormSubmit of={form}>Save details</FormSubmit>
      </Form>
      {made && (
        <Dialog title="The new address must be confirmed" size={520} onClose={() => setMade(undefined)}>
          <p className={css.text}>Until they open the link, {user.name} signs in with the old address.</p>
          <ShownLink of={made} />
          <DialogActions>
            <Button variant="default" onClick={() => setMade(undefined)}>
              Done
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

function aboutEmail({ state, pending_email }: User) {
  if (pending_email) return `Waiting until ${pending_email} is confirmed.`
  return state === 'invited' ? 'They will sign in with this address.' : 'They sign in with this address.'
}

const detailsOf = ({ name, email }: User) => ({ name, email: email ?? '' })
