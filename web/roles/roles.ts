import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { builtIn } from '../../contract/built-in/objects.ts'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import {
  type Grant,
  type ObjectRights,
  type Reach,
  type RecordRights,
  reaches,
  rightsOn,
} from '../../contract/shared/access.ts'
import { own } from '../../contract/shared/own.ts'
import { api } from '../client/api.ts'
import { allItems } from '../client/pages.ts'
import { sessionQuery, useSignedIn } from '../client/session.ts'
import { type ObjectShape, schemaQuery } from '../records/data/schema.ts'

export type Role = Output<typeof contract.createRole>

/** For callers who manage members: the server lists only names to anyone else. */
export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => (await allItems((cursor) => api.listRoles({ cursor }))) as Role[],
})

/** Only Admins make and change roles. */
export const useIsAdmin = () => useSignedIn().me.is_admin

type Rights = { grants: Grant[]; records: RecordRights }

/** The server refuses to assign or edit a role with more permissions than yours. Known once the roles are loaded. */
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

export type Right = keyof ObjectRights
export const others = '*'

type Named = { key: string; label_plural: string }

/** The objects to show: those of the company, and any other that the role names. */
export const objectsOf = (records: RecordRights, objects: Named[]) =>
  [...new Set([...objects.map(({ key }) => key), ...Object.keys(records)])].filter((key) => key !== others)

const none: ObjectShape[] = []
export const useObjects = () => useQuery(schemaQuery).data ?? none

/** As the company calls it. One that is archived, or that this user cannot read, goes by its first name or its key. */
export const nameOfObject = (key: string, objects: Named[]) =>
  (objects.find((one) => one.key === key) ?? own<Omit<Named, 'key'>>(builtIn, key))?.label_plural ?? key

/** What may be edited or deleted must be readable: the rights pull each other along. */
export function withRight<R extends Right>(rights: ObjectRights, right: R, value: ObjectRights[R]): ObjectRights {
  const next = { ...rights, [right]: value }
  if (right === 'read') return { ...next, edit: less(next.edit, next.read), delete: less(next.delete, next.read) }
  if (right === 'create') return next
  return { ...next, read: more(next.read, value as Reach) }
}

const less = (a: Reach, b: Reach) => reaches[Math.max(reaches.indexOf(a), reaches.indexOf(b))]!
const more = (a: Reach, b: Reach) => reaches[Math.min(reaches.indexOf(a), reaches.indexOf(b))]!
