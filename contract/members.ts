import * as z from 'zod'
import { operation } from './operation.ts'
import { email, id, page, pageOf, personName } from './shapes.ts'

export const User = z
  .strictObject({
    id,
    name: z.string(),
    role: z.string(),
    email: z.string().optional().describe('Only for callers who manage members'),
  })
  .meta({ id: 'User' })

export const roleName = z.string().trim().min(1, 'Name a role, such as Member').max(100)

export const members = {
  createUser: operation({
    summary: 'Add a user to the company',
    http: 'POST /users',
    access: 'members.manage',
    effect: 'add',
    input: z.strictObject({ name: personName, email, role: roleName.default('Member') }),
    output: User,
  }),
  changeUserRole: operation({
    summary: "Change a user's role; it takes effect on the next call",
    http: 'PUT /users/:id/role',
    access: 'members.manage',
    effect: 'change',
    input: z.strictObject({ id, role: roleName }),
    output: User,
  }),
  listUsers: operation({
    summary: 'List the users of the company',
    http: 'GET /users',
    access: 'member',
    effect: 'read',
    input: z.strictObject(page),
    output: pageOf(User).meta({ id: 'UserPage' }),
    tool: 'The people and agents of this company, by name. Use it to turn a name into a user id for owner or assignee.',
  }),
}
