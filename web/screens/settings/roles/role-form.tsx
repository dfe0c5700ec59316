import { Switch, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Check, Minus } from 'lucide-react'
import { useId } from 'react'
import { grants as allGrants, type Grant, memberGrants, memberRights } from '../../../../contract/shared/access.ts'
import { api } from '../../../client/api.ts'
import { companySections, rolePage } from '../../../client/areas.ts'
import { grantGroups, grantWords } from '../../../roles/grants.ts'
import { type Recipe, recipeOf } from '../../../roles/recipes.ts'
import { type Role, useRolesChanged } from '../../../roles/roles.ts'
import { Part } from '../../../ui/basics/layout.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import shared from '../../../ui/form/form.module.css'
import { Form, FormBar } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { AccessEditor } from './access-editor.tsx'
import css from './role-form.module.css'

type Values = Pick<Role, 'name' | 'description' | 'grants' | 'records'>

/** Changes a role, or makes one that starts like another, else like a Member. */
export function RoleForm({ role, from }: { role?: Role; from?: Role | Recipe }) {
  const changed = useRolesChanged()
  const navigate = useNavigate()
  const made = useForm({
    input: rulesOf(
      () => import('../../../../contract/roles.ts'),
      ({ roles }) => roles.createRole.input,
    ),
    initial: role ? valuesOf(role) : startOf(from),
    send: (values) => (role ? api.updateRole({ id: role.id, ...values }) : api.createRole(values)),
    read: valuesOf,
    onDone: async (saved) => {
      say(role ? 'Role saved' : `Role ${saved.name} created`)
      await changed()
      if (!role) await navigate({ to: rolePage, params: { id: saved.id } })
    },
  })
  const { form, values, change, text } = made
  return (
    <Form of={form} className={css.form}>
      <div className={shared.fields}>
        <TextInput label="Name" autoComplete="off" {...text('name')} />
        <TextInput
          label="Description"
          description="Optional. Shown in the list of roles."
          autoComplete="off"
          {...text('description')}
        />
      </div>
      <AccessEditor records={values.records} onChange={(records) => change({ records })} />
      <GrantSwitches granted={values.grants} onChange={(grants) => change({ grants })} />
      <FormBar
        of={made}
        save={role ? 'Save role' : 'Create role'}
        onCancel={!role && (() => navigate({ to: companySections.roles.to }))}
      >
        <span className={css.effect} role="status">
          {role && made.isDirty && role.user_count > 0 && 'Takes effect immediately for everyone with this role.'}
        </span>
      </FormBar>
    </Form>
  )
}

const valuesOf = ({ name, description, grants, records }: Values): Values => ({ name, description, grants, records })

function startOf(from: Role | Recipe | undefined): Values {
  if (!from) return { name: '', description: '', grants: memberGrants, records: memberRights }
  if (recipeOf(from.id)) return valuesOf(from)
  return { ...valuesOf(from), name: `Copy of ${from.name}`.slice(0, 100), description: '' }
}

type Props = { granted: Grant[]; onChange: (grants: Grant[]) => void }

/** What a role may do beyond records. */
const GrantSwitches = ({ granted, onChange }: Props) => (
  <Part title="Other permissions">
    {grantGroups.map((group) => (
      <Group key={group.name} {...group} granted={granted} onChange={onChange} />
    ))}
  </Part>
)

function Group({ name, grants, granted, onChange }: Props & { name: string; grants: Grant[] }) {
  const id = useId()
  const set = (grant: Grant, on: boolean) => onChange(on ? [...granted, grant] : granted.filter((one) => one !== grant))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a legend and borders that do not fit here
    <div role="group" aria-labelledby={id} className={css.group}>
      <h3 id={id}>{name}</h3>
      <div className={css.grants}>
        {grants.map((grant) => (
          <Switch
            key={grant}
            label={grantWords[grant].label}
            description={grantWords[grant].about}
            checked={granted.includes(grant)}
            onChange={(event) => set(grant, event.currentTarget.checked)}
          />
        ))}
      </div>
    </div>
  )
}

/** What a role may do beyond records, to be read. An Admin has every grant. */
export function GrantList({ role: { is_admin, grants } }: { role: Role }) {
  const held = is_admin ? allGrants : grants
  return (
    <Part title="Other permissions" className={css.grantList}>
      <ul>
        {grantGroups
          .flatMap((group) => group.grants)
          .map((grant) => (
            <li key={grant} data-held={held.includes(grant) || undefined}>
              {held.includes(grant) ? <Check size={15} aria-label="Yes:" /> : <Minus size={15} aria-label="No:" />}
              <span>
                {grantWords[grant].label}
                <small>{grantWords[grant].about}</small>
              </span>
            </li>
          ))}
      </ul>
    </Part>
  )
}
