import * as z from 'zod'
import { operation } from './operation.ts'
import { id, page, pageOf } from './shapes.ts'

export const User = z
  .strictObject({
    id,
    name: z.string(),
    role: z.string(),
    email: z.string().optional().describe('Only for callers who manage members'),
  })
  .meta({ id: 'User' })

export const members = {
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
