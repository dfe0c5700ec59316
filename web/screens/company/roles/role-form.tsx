import { Button, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { memberGrants, memberRights } from '../../../../contract/access.ts'
import { contract } from '../../../../contract/index.ts'
import { api } from '../../../client/api.ts'
import { companySections, rolePage } from '../../../client/areas.ts'
import { type Role, useRolesChanged } from '../../../roles/roles.ts'
import { useDraft } from '../../../ui/draft.ts'
import { DraftForm } from '../../../ui/draft-form.tsx'
import form from '../../../ui/form.module.css'
import { say } from '../../../ui/notices.tsx'
import { GrantSwitches } from './grant-switches.tsx'
import { RightsMatrix } from './rights-matrix.tsx'
import css from './role.module.css'

type Values = Pick<Role, 'name' | 'description' | 'grants' | 'records'>

/** Changes a role, or makes one that starts like another, else like a Member. */
export function RoleForm({ role, from }: { role?: Role; from?: Role }) {
  const changed = useRolesChanged()
  const navigate = useNavigate()
  const { draft, values, change, text, reset, isPending, isDirty } = useDraft({
    input: contract.createRole.input,
    initial: role ? valuesOf(role) : startOf(from),
    ask: (values) => values,
    send: (values) => (role ? api.updateRole({ id: role.id, ...values }) : api.createRole(values)),
    read: valuesOf,
    onDone: async (saved) => {
      say(role ? 'Role saved' : `Role ${saved.name} made`)
      await changed()
      if (!role) await navigate({ to: rolePage, params: { id: saved.id } })
    },
  })
  return (
    <DraftForm draft={draft} className={css.form}>
      <div className={form.fields}>
        <TextInput label="Name" autoComplete="off" {...text('name')} />
        <TextInput
          label="Description"
          description="Optional. Shown in the list instead of what the rights say."
          autoComplete="off"
          {...text('description')}
        />
      </div>
      <RightsMatrix records={values.records} onChange={(records) => change({ records })} />
      <GrantSwitches granted={values.grants} onChange={(grants) => change({ grants })} />
      <div className={css.bar}>
        <Button type="submit" loading={isPending}>
          {role ? 'Save role' : 'Create role'}
        </Button>
        {role ? (
          <Button variant="subtle" color="gray" disabled={!isDirty || isPending} onClick={reset}>
            Discard changes
          </Button>
        ) : (
          <Button variant="subtle" color="gray" onClick={() => navigate({ to: companySections.roles.to })}>
            Cancel
          </Button>
        )}
        <span className={css.effect} role="status">
          {role && isDirty && role.user_count > 0 && 'Holds from the next click or call on, for everybody who has it.'}
        </span>
      </div>
    </DraftForm>
  )
}

const valuesOf = ({ name, description, grants, records }: Role): Values => ({ name, description, grants, records })

function startOf(from: Role | undefined): Values {
  if (!from) return { name: '', description: '', grants: memberGrants, records: memberRights }
  return { ...valuesOf(from), name: `Copy of ${from.name}`.slice(0, 100), description: '' }
}
