import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { Copy, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { pages } from '../../../../contract/pages.ts'
import { newRole, rolePage } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { type Role, rolesQuery, useIsAdmin } from '../../../roles/roles.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Missing } from '../../../ui/missing.tsx'
import { PageSkeleton } from '../../../ui/page-skeleton.tsx'
import { CompanyPage } from '../company-page.tsx'
import { DeleteRole } from './delete-role.tsx'
import { NewRole } from './new-role.tsx'
import { RoleForm } from './role-form.tsx'
import { RoleView } from './role-view.tsx'

export function RolePage() {
  const { may } = useSignedIn()
  if (may('members.manage')) return <KnownRole />
  return <CompanyPage title="Role" needs="members.manage" />
}

/** `/company/roles/new` too, with `?from=` the role to start from. */
function KnownRole() {
  const { id } = useParams({ strict: false })
  const { from } = useSearch({ strict: false })
  const roles = useQuery(rolesQuery)
  if (roles.isPending) return <PageSkeleton />
  if (!roles.data)
    return (
      <CompanyPage title="Role">
        <Failure error={roles.error} onRetry={roles.refetch} busy={roles.isFetching} />
      </CompanyPage>
    )
  const roleOf = (id: string | undefined) => roles.data.find((role) => role.id === id)
  if (id === newRole) return <NewRole key={from} from={roleOf(from)} />
  const role = roleOf(id)
  return role ? <OneRole key={id} role={role} /> : <Missing what="role" back={pages.company} />
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
              <Button
                variant="default"
                leftSection={<Trash2 size={14} aria-hidden="true" />}
                onClick={() => setDeleting(true)}
              >
                Delete
              </Button>
            )}
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link {...props} to={rolePage} params={{ id: newRole }} search={{ from: role.id }} />
              )}
              leftSection={<Copy size={14} aria-hidden="true" />}
            >
              Duplicate
            </Button>
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
  if (!user_count) return 'Nobody has this role.'
  const has = user_count === 1 ? '1 user has this role.' : `${user_count} users have this role.`
  return deletable ? `${has} To delete it, give ${user_count === 1 ? 'them' : 'all of them'} another one first.` : has
}
