import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Copy, Info, Lock, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { pages } from '../../../../contract/shared/pages.ts'
import { api } from '../../../client/api.ts'
import { companySections, newRole, rolePage } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { roleInWords } from '../../../roles/grants.ts'
import { type Recipe, recipeOf } from '../../../roles/recipes.ts'
import { type Role, rolesQuery, useIsAdmin, useObjects, useRolesChanged } from '../../../roles/roles.ts'
import { Panel } from '../../../ui/basics/layout.tsx'
import { ButtonLink } from '../../../ui/basics/links.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { Message, Missing, PageSkeleton } from '../../../ui/basics/states.tsx'
import { Confirm } from '../../../ui/form/dialog.tsx'
import { CompanyPage } from '../company-area.tsx'
import { AccessEditor } from './access-editor.tsx'
import css from './role-form.module.css'
import { GrantList, RoleForm } from './role-form.tsx'

const route = getRouteApi('/frame/company-area/company/roles/$id')

export function RolePage() {
  const { may } = useSignedIn()
  if (may('members.manage')) return <KnownRole />
  return <CompanyPage title="Role" needs="members.manage" />
}

/** `/company/roles/new` too, with `?from=` the role or recipe to start from. */
function KnownRole() {
  const { id } = route.useParams()
  const { from } = route.useSearch()
  const roles = useQuery(rolesQuery)
  const shown = (roles: Role[]) => {
    const roleOf = (id: string | undefined) => roles.find((role) => role.id === id)
    if (id === newRole) return <NewRole key={from} from={recipeOf(from) ?? roleOf(from)} />
    const role = roleOf(id)
    return role ? <OneRole key={id} role={role} /> : <Missing what="role" back={pages.company} />
  }
  return (
    <Loaded
      query={roles}
      waiting={<PageSkeleton />}
      failed={(failure) => <CompanyPage title="Role">{failure}</CompanyPage>}
    >
      {shown}
    </Loaded>
  )
}

function OneRole({ role }: { role: Role }) {
  const isAdmin = useIsAdmin()
  const [deleting, setDeleting] = useState(false)
  const editable = isAdmin && !role.is_built_in
  return (
    <CompanyPage
      title={role.name}
      lead={whoHas(role, editable)}
      wide
      actions={
        isAdmin && (
          <>
            {editable && !role.user_count && (
              <Button variant="default" leftSection={<Trash2 size={14} />} onClick={() => setDeleting(true)}>
                Delete
              </Button>
            )}
            <ButtonLink
              variant="default"
              to={rolePage}
              params={{ id: newRole }}
              search={{ from: role.id }}
              leftSection={<Copy size={14} />}
            >
              {role.is_built_in ? 'Duplicate to customize' : 'Duplicate'}
            </ButtonLink>
          </>
        )
      }
    >
      {editable ? <RoleForm role={role} /> : <RoleView role={role} isAdmin={isAdmin} />}
      {deleting && <DeleteRole role={role} onClose={() => setDeleting(false)} />}
    </CompanyPage>
  )
}

function whoHas({ user_count }: Role, deletable: boolean) {
  if (!user_count) return 'No one has this role.'
  const has = user_count === 1 ? '1 user has this role.' : `${user_count} users have this role.`
  return deletable ? `${has} To delete it, give ${user_count === 1 ? 'them' : 'all of them'} another one first.` : has
}

/** A role to look at: built in, or seen by someone who may not change it. */
function RoleView({ role, isAdmin }: { role: Role; isAdmin: boolean }) {
  const objects = useObjects()
  return (
    <>
      <Panel as="p" sunken padded className={css.note}>
        <Info size={16} />
        <span>{explain(role, isAdmin)}</span>
      </Panel>
      <p className={css.words}>{role.description || roleInWords(role, objects)}</p>
      <AccessEditor records={role.records} />
      <GrantList role={role} />
    </>
  )
}

const explain = ({ name }: Role, isAdmin: boolean) =>
  isAdmin
    ? `${name} is a built-in role and can't be changed. Duplicate it to customize.`
    : 'Only Admins can change roles.'

function DeleteRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const navigate = useNavigate()
  const changed = useRolesChanged()
  return (
    <Confirm
      title={`Delete the role ${role.name}?`}
      action="Delete"
      act={() => api.deleteRole({ id: role.id })}
      onDone={async () => {
        say(`Role ${role.name} deleted`)
        await navigate({ to: companySections.roles.to })
        await changed()
      }}
      onClose={onClose}
    >
      <p>No one has this role, so no one loses access. This can't be undone.</p>
    </Confirm>
  )
}

function NewRole({ from }: { from?: Role | Recipe }) {
  const isAdmin = useIsAdmin()
  return (
    <CompanyPage title="New role" lead={from && `Starts with the permissions of ${from.name}.`} wide>
      {isAdmin ? (
        <RoleForm from={from} />
      ) : (
        <Message icon={Lock} title="You don’t have access">
          Only Admins can create roles. Ask an Admin of your company.
        </Message>
      )}
    </CompanyPage>
  )
}
