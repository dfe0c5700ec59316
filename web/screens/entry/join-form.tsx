import { Button, TextInput } from '@mantine/core'
import { contract } from '../../../contract/index.ts'
import { api } from '../../client/api.ts'
import { useDraft } from '../../ui/draft.ts'
import { DraftForm } from '../../ui/draft-form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import type { Link } from './account-link.tsx'
import css from './entry.module.css'
import { Entry } from './entry.tsx'
import type { useEntering } from './use-entering.ts'
import { useLinkSignIn } from './use-link-sign-in.ts'

export type LinkFormProps = { link: Link; token: string; onDone: ReturnType<typeof useEntering>['enter'] }

export function JoinForm({ link, token, onDone }: LinkFormProps) {
  const signInAfter = useLinkSignIn(link.email)
  const { draft, text, isPending } = useDraft({
    input: contract.acceptInvitation.input.pick({ name: true, password: true }),
    initial: { name: link.name, password: '' },
    ask: (values) => values,
    send: (values) => signInAfter(values.password, () => api.acceptInvitation({ ...values, token })),
    onDone,
  })
  return (
    <Entry
      title={`Join ${link.company_name}`}
      lead="You were invited to work here. Choose a name and a password, and you are in."
    >
      <DraftForm draft={draft} className={css.form}>
        <TextInput label="Email" value={link.email} readOnly autoComplete="username" variant="filled" />
        <TextInput label="Your name" autoComplete="name" autoFocus={!link.name} {...text('name')} />
        <PasswordField
          description="At least 8 characters; 15 or more are better."
          autoComplete="new-password"
          autoFocus={Boolean(link.name)}
          {...text('password')}
        />
        <Button type="submit" fullWidth mt={4} loading={isPending}>
          Join
        </Button>
      </DraftForm>
    </Entry>
  )
}
