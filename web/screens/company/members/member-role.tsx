import { contract } from '../../../../contract/index.ts'
import { api } from '../../../api.ts'
import { useDraft } from '../../../ui/draft.ts'
import { DraftForm } from '../../../ui/draft-form.tsx'
import { FormSubmit } from '../../../ui/form-submit.tsx'
import { say } from '../../../ui/notices.ts'
import { Section } from '../../../ui/section.tsx'
import { RoleSelect } from '../role-select.tsx'
import { type User, useUsersChanged } from '../users.ts'

export function MemberRole({ of: user }: { of: User }) {
  const changed = useUsersChanged()
  const { draft, values, change, errors, isPending, isDirty } = useDraft({
    input: contract.changeUserRole.input,
    initial: { role: user.role },
    ask: ({ role }) => ({ id: user.id, role }),
    send: api.changeUserRole,
    read: ({ role }) => ({ role }),
    onDone: (user) => {
      void changed(user)
      say(`${user.name} is ${user.role} now`)
    },
  })
  return (
    <Section title="Role" about="A new role holds from the next click or call on.">
      <DraftForm draft={draft}>
        <RoleSelect value={values.role} error={errors.role} onChange={(role) => change({ role })} />
        <FormSubmit isPending={isPending} disabled={!isDirty}>
          Change role
        </FormSubmit>
      </DraftForm>
    </Section>
  )
}
