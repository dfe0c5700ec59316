import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Grant, type ObjectRights, type RecordRights, reaches, rightsOn } from '../../contract/access.ts'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { sessionQuery, useSignedIn } from '../client/session.ts'

export type Role = Output<typeof contract.createRole>

/** For callers who manage members: the server lists only names to anyone else. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => (await api.listRoles({})).items as Role[],
})

/** Only Admins make and change roles. */
export const useIsAdmin = () => useSignedIn().me.is_admin

type Rights = { grants: Grant[]; records: RecordRights }

/** The server lets nobody give or touch a role that has more rights than their own. Known once the roles are. */
export function useIsAbove() {
  const { me, may } = useSignedIn()
  const { data = [] } = useQuery({ ...rolesQuery, enabled: may('members.manage') })
  const isAdmin = useIsAdmin()
  return (name: string) => {
    const role = data.find((one) => one.name === name)
    if (isAdmin || !role || name === me.role) return false
    return role.is_admin || !covers(me, role)
  }
}

function covers(mine: Rights, theirs: Rights) {
  const objects = [...Object.keys(mine.records), ...Object.keys(theirs.records)]
  return (
    theirs.grants.every((grant) => mine.grants.includes(grant)) &&
    objects.every((object) => reachesAsFar(rightsOn(mine.records, object), rightsOn(theirs.records, object)))
  )
}

function reachesAsFar(mine: ObjectRights, theirs: ObjectRights) {
  const far = (right: 'read' | 'edit' | 'delete') => reaches.indexOf(mine[right]) <= reaches.indexOf(theirs[right])
  return far('read') && far('edit') && far('delete') && (mine.create || !theirs.create)
}

/** A role may be your own, so your rights are asked for again too. */
export function useRolesChanged() {
  const client = useQueryClient()
  return async () => {
    void client.invalidateQueries({ queryKey: ['users'] })
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await client.invalidateQueries({ queryKey: rolesQuery.queryKey })
  }
}
