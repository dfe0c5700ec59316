import * as z from 'zod'
import { operation } from './operation.ts'
import { grants, RecordRights } from './shared/access.ts'
import { fullPage, id, nameOf, nothing, pageOf } from './shared/shapes.ts'

export const roleName = nameOf('Enter a role name, such as Member')

export const Role = z
  .strictObject({
    id,
    name: z.string(),
    description: z.string(),
    is_admin: z.boolean().describe('Has every permission'),
    is_built_in: z.boolean().describe('Built-in roles (Admin and Member) cannot be changed'),
    grants: z.array(z.enum(grants)),
    records: RecordRights.describe('Permissions by object; * covers all other objects'),
    user_count: z.int(),
  })
  .meta({ id: 'Role' })

/** Rights reveal which objects exist, so only people who manage members see them. */
export const ListedRole = Role.partial()
  .required({ id: true, name: true })
  .meta({ id: 'ListedRole', description: 'Callers who do not manage members only get id and name' })

const fields = {
  description: z.string().trim().max(500),
  grants: z.array(z.enum(grants)).max(grants.length),
  records: RecordRights,
}

export const roles = {
  listRoles: operation({
    summary: 'List roles',
    http: 'GET /roles',
    access: 'member',
    effect: 'read',
    input: z.strictObject(fullPage),
    output: pageOf(ListedRole),
  }),
  createRole: operation({
    summary: 'Create a role',
    http: 'POST /roles',
    access: 'admin',
    effect: 'add',
    input: z.strictObject({
      name: roleName,
      description: fields.description.default(''),
      grants: fields.grants.default([]),
      records: fields.records,
    }),
    output: Role,
  }),
  updateRole: operation({
    summary: 'Update a role; changes take effect immediately',
    http: 'PATCH /roles/:id',
    access: 'admin',
    effect: 'change',
    input: z.strictObject({
      id,
      name: roleName.optional(),
      description: fields.description.optional(),
      grants: fields.grants.optional(),
      records: fields.records.optional(),
    }),
    output: Role,
  }),
  deleteRole: operation({
    summary: 'Delete an unused role',
    http: 'DELETE /roles/:id',
    access: 'admin',
    effect: 'destroy',
    input: z.strictObject({ id }),
    output: nothing,
  }),
}
