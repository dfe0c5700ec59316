import * as z from 'zod'
import { operation } from './operation.ts'
import { roleName } from './roles.ts'
import { email, id, moment, nothing, page, pageOf, personName } from './shared/shapes.ts'

export const userKinds = ['person', 'agent'] as const
export const userStates = ['active', 'invited', 'deactivated'] as const

const managers = 'Only visible to callers who manage members'

export const User = z
  .strictObject({
    id,
    name: z.string(),
    kind: z.enum(userKinds).describe('Agents have API keys but no password'),
    role: z.string(),
    state: z.enum(userStates),
    picture_id: id.nullable().meta({ forAgents: 'hidden' }),
    away_from: z.string().nullable().describe('First day away').meta({ forAgents: 'unless null' }),
    away_until: z.string().nullable().describe('Last day away').meta({ forAgents: 'unless null' }),
    email: z.string().nullable().optional().describe(managers),
    pending_email: z.string().nullable().optional().describe(`A new address that is not confirmed yet. ${managers}`),
    created_at: moment.optional().describe(managers),
    last_seen_at: moment.nullable().optional().describe(managers),
    two_factor: z.boolean().optional().describe(managers),
  })
  .meta({ id: 'User' })

/** A single-use link to an account. Its token follows the #, which browsers never send to a server. */
export const AccountLink = z.strictObject({
  link: z.string().nullable().describe('Link to share; null if it was only sent by email'),
  expires_at: moment,
  sent_to: z.string().nullable().describe('Address it was sent to; null if you need to share it'),
})

const reassign_to = id.optional().describe('User who takes over their records; default: you')

export const members = {
  createUser: operation({
    summary: 'Add a person or an agent to the company',
    http: 'POST /users',
    access: 'members.manage',
    effect: 'add',
    input: z.strictObject({
      name: personName,
      kind: z.enum(userKinds).default('person'),
      email: email.optional().describe('Required for people; agents have none'),
      role: roleName.default('Member'),
    }),
    output: User,
  }),
  getUser: operation({
    summary: 'Get a user',
    http: 'GET /users/:id',
    access: 'member',
    effect: 'read',
    input: z.strictObject({ id }),
    output: User,
  }),
  updateUser: operation({
    summary: "Update a user's name or sign-in address; a new address must be confirmed by link",
    http: 'PATCH /users/:id',
    access: 'members.manage',
    webOnly: true,
    effect: 'change',
    secret: true,
    openWorld: true,
    input: z.strictObject({ id, name: personName.optional(), email: email.optional() }),
    output: z.strictObject({
      user: User,
      confirmation: AccountLink.nullable().describe(
        'The link that confirms a new address; null if there is nothing to confirm',
      ),
    }),
  }),
  updateUserRole: operation({
    summary: "Change a user's role; it takes effect immediately",
    http: 'PUT /users/:id/role',
    replaces: [{ name: 'changeUserRole' }],
    access: 'members.manage',
    effect: 'change',
    input: z.strictObject({ id, role: roleName }),
    output: User,
  }),
  deleteUserTwoFactor: operation({
    summary: 'Turn off two-factor sign-in for a user who lost access to it',
    http: 'DELETE /users/:id/two-factor',
    replaces: [{ name: 'turnOffUserTwoFactor' }],
    access: 'members.manage',
    webOnly: true,
    effect: 'change',
    input: z.strictObject({ id }),
    output: User,
  }),
  deactivateUser: operation({
    summary: 'Deactivate a user, delete their API keys and end their sessions',
    http: 'POST /users/:id/deactivation',
    access: 'members.manage',
    effect: 'change',
    input: z.strictObject({ id, reassign_to }),
    output: User,
  }),
  reactivateUser: operation({
    summary: 'Reactivate a user',
    http: 'DELETE /users/:id/deactivation',
    access: 'members.manage',
    effect: 'change',
    input: z.strictObject({ id }),
    output: User,
  }),
  deleteUser: operation({
    summary: 'Permanently remove a user; their name is kept in the history',
    http: 'DELETE /users/:id',
    replaces: [{ name: 'removeUser' }],
    access: 'members.manage',
    effect: 'destroy',
    input: z.strictObject({ id, reassign_to }),
    output: nothing,
  }),
  listUsers: operation({
    summary: 'List users',
    http: 'GET /users',
    replaces: [{ fields: { search: 'q' } }],
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      state: z
        .enum([...userStates, 'all'])
        .optional()
        .describe('Default: active and invited'),
      kind: z.enum(userKinds).optional().describe('Only people or only agents'),
      q: z.string().trim().max(100).optional().describe('Part of a name'),
      ...page,
    }),
    output: pageOf(User).meta({ id: 'UserPage' }),
    tool: 'Lists people and agents with their IDs. Use it to find owners and assignees.',
  }),
}
