import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contract } from '../../../../contract/index.ts'
import { api } from '../../../client/api.ts'
import { RoleSelect } from '../../../roles/role-select.tsx'
import { rolesQuery } from '../../../roles/roles.ts'
import { focusHeading } from '../../../ui/arrival.ts'
import { useDraft } from '../../../ui/draft.ts'
import { DraftForm } from '../../../ui/draft-form.tsx'
import { FormSubmit } from '../../../ui/form-submit.tsx'
import { say } from '../../../ui/notices.tsx'
import { Section } from '../../../ui/section.tsx'
import { type User, useUsersChanged } from '../../../users/users.ts'
import { MakeAdmin } from './make-admin.tsx'

export function MemberRole({ of: user }: { of: User }) {
  const changed = useUsersChanged()
  const { data: roles } = useQuery(rolesQuery)
  const [asking, ask] = useState(false)
  const { draft, values, change, errors, isPending, isDirty } = useDraft({
    input: contract.changeUserRole.input,
    initial: { role: user.role },
    ask: ({ role }) => ({ id: user.id, role }),
    send: api.changeUserRole,
    read: ({ role }) => ({ role }),
    onDone: (user) => {
      void changed(user)
      say(`${user.name} is ${user.role} now`)
      focusHeading() // The button has nothing more to do and is off.
    },
  })
  const makesAdmin = isDirty && roles?.find(({ name }) => name === values.role)?.is_admin
  return (
    <Section title="Role" about="A new role holds from the next click or call on.">
      <DraftForm draft={makesAdmin ? { ...draft, submit: () => ask(true) } : draft}>
        <RoleSelect value={values.role} error={errors.role} onChange={(role) => change({ role })} />
        <FormSubmit isPending={isPending} disabled={!isDirty}>
          Change role
        </FormSubmit>
      </DraftForm>
      {asking && <MakeAdmin of={user} role={values.role} onSure={draft.submit} onClose={() => ask(false)} />}
    </Section>
  )
}
