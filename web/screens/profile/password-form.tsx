import { useQueryClient } from '@tanstack/react-query'
import { contract } from '../../../contract/index.ts'
import { api } from '../../client/api.ts'
import { useDraft } from '../../ui/draft.ts'
import { DraftForm } from '../../ui/draft-form.tsx'
import { FormSubmit } from '../../ui/form-submit.tsx'
import { say } from '../../ui/notices.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { sessionsQuery } from './sessions.tsx'

const empty = { current_password: '', new_password: '' }

export function PasswordForm() {
  const client = useQueryClient()
  const { draft, text, isPending } = useDraft({
    input: contract.changePassword.input,
    initial: empty,
    ask: (values) => values,
    send: api.changePassword,
    read: () => empty,
    onDone: () => {
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      say('Password changed. Your other sessions have ended.')
    },
  })
  return (
    <DraftForm draft={draft}>
      <PasswordField label="Current password" autoComplete="current-password" {...text('current_password')} />
      <PasswordField
        label="New password"
        description="At least 8 characters; 15 or more are better."
        autoComplete="new-password"
        {...text('new_password')}
      />
      <FormSubmit isPending={isPending}>Change password</FormSubmit>
    </DraftForm>
  )
}
