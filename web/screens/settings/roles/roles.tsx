import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { newRole, rolePage } from '../../../client/areas.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { roleInWords } from '../../../roles/grants.ts'
import { type Role, rolesQuery, useIsAdmin, useObjects } from '../../../roles/roles.ts'
import { Badge } from '../../../ui/basics/avatar.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { RowLink } from '../../../ui/page/rows.tsx'
import { Cell, Head, Row, Table } from '../../../ui/page/table.tsx'
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
          <Button
            renderRoot={(props) => <Link {...props} to={rolePage} params={{ id: newRole }} />}
            leftSection={<Plus size={15} aria-hidden="true" />}
          >
            New role
          </Button>
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
        <Table
          label="Roles"
          className={css.table}
          head={['Role', 'What it allows', 'Users'].map((column) => <Head key={column}>{column}</Head>)}
        >
          {roles.map((role) => (
            <RoleRow key={role.id} of={role} objects={objects} />
          ))}
        </Table>
      )}
    </Loaded>
  )
}

const RoleRow = ({ of: role, objects }: { of: Role; objects: ObjectShape[] }) => (
  <Row>
    <Cell kind="name">
      <RowLink to={rolePage} params={{ id: role.id }}>
        {role.name}
      </RowLink>
      {role.is_built_in && <Badge>Built in</Badge>}
    </Cell>
    <Cell kind="words">{role.description || roleInWords(role, objects)}</Cell>
    <Cell kind="users">
      {role.user_count}
      <span className={css.unit}>{role.user_count === 1 ? ' user' : ' users'}</span>
    </Cell>
  </Row>
)
