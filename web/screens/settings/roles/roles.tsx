import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { newRole, rolePage } from '../../../client/areas.ts'
import { roleInWords } from '../../../roles/grants.ts'
import { rolesQuery, useIsAdmin, useObjects } from '../../../roles/roles.ts'
import { Badge } from '../../../ui/basics/avatar.tsx'
import { ButtonLink } from '../../../ui/basics/links.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { RowLink } from '../../../ui/page/rows.tsx'
import { DataTable } from '../../../ui/page/table.tsx'
import { CompanyPage } from '../company-area.tsx'
import css from './roles.module.css'

export function Roles() {
  const isAdmin = useIsAdmin()
  return (
    <CompanyPage
      title="Roles"
      lead="What people and agents can do. Every user has one role, and every key has its owner’s role."
      wide
      needs="members.manage"
      actions={
        isAdmin && (
          <ButtonLink to={rolePage} params={{ id: newRole }} leftSection={<Plus size={15} />}>
            New role
          </ButtonLink>
        )
      }
    >
      <RoleList />
    </CompanyPage>
  )
}

function RoleList() {
  const objects = useObjects()
  const roles = useQuery(rolesQuery)
  return (
    <Loaded query={roles} what="roles" height={180}>
      {(roles) => (
        <DataTable
          bare
          label="Roles"
          className={css.table}
          columns={[
            {
              key: 'name',
              label: 'Role',
              cell: ({ id, name, is_built_in }) => (
                <>
                  <RowLink to={rolePage} params={{ id }}>
                    {name}
                  </RowLink>
                  {is_built_in && <Badge>Built in</Badge>}
                </>
              ),
            },
            {
              key: 'words',
              label: 'Permissions',
              cell: (role) => role.description || roleInWords(role, objects),
            },
            {
              key: 'users',
              label: 'Users',
              cell: ({ user_count }) => (
                <>
                  {user_count}
                  <span className={css.unit}>{user_count === 1 ? ' user' : ' users'}</span>
                </>
              ),
            },
          ]}
          items={roles}
        />
      )}
    </Loaded>
  )
}
