import { TextInput } from '@mantine/core'
import { contract } from '../../../../contract/index.ts'
import { api } from '../../../api.ts'
import { Ago } from '../../../ui/ago.tsx'
import { useDraft } from '../../../ui/draft.ts'
import { DraftForm } from '../../../ui/draft-form.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FormSubmit } from '../../../ui/form-submit.tsx'
import { asDay } from '../../../ui/moments.ts'
import { say } from '../../../ui/notices.tsx'
import { Section } from '../../../ui/section.tsx'
import { type User, useUsersChanged } from '../users.ts'
import css from './member.module.css'

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
    <Section title="Details" about={user.kind === 'agent' ? 'How everybody sees it.' : 'How everybody sees them.'}>
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
  const { draft, text, isPending } = useDraft({
    input: contract.updateUser.input,
    initial: detailsOf(user),
    ask: ({ name, email }) => ({ id: user.id, name: name || undefined, ...(!isAgent && { email }) }),
    send: api.updateUser,
    read: detailsOf,
    onDone: (user) => {
      void changed(user)
      say('Details saved')
    },
  })
  return (
    <DraftForm draft={draft}>
      <TextInput label="Name" autoComplete="off" {...text('name')} />
      {!isAgent && (
        <TextInput
          label="Email"
          description="With this address they sign in."
          type="email"
          autoComplete="off"
          {...text('email')}
        />
      )}
      <FormSubmit isPending={isPending}>Save details</FormSubmit>
    </DraftForm>
  )
}

const detailsOf = ({ name, email }: User) => ({ name, email: email ?? '' })
