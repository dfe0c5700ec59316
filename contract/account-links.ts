import * as z from 'zod'
import { AccountLink, User } from './members.ts'
import { operation } from './operation.ts'
import { roleName } from './roles.ts'
import { email, id, nothing, password, personName } from './shared/shapes.ts'

export const linkKinds = ['invitation', 'reset', 'email'] as const
const token = z.string().min(1).max(100)

// Anyone with one of these links can sign in, so API keys cannot create them.
export const accountLinks = {
  inviteUser: operation({
    summary: 'Invite someone by link, or by email if mail is set up',
    http: 'POST /invitations',
    access: 'members.manage',
    webOnly: true,
    effect: 'add',
    secret: true,
    openWorld: true,
    input: z.strictObject({
      email,
      name: personName.optional(),
      role: roleName.default('Member'),
      send: z.boolean().default(true).describe('Send the link by email if mail is set up'),
    }),
    output: AccountLink.extend({ user: User }),
  }),
  renewInvitation: operation({
    summary: 'Create a new invitation link; the old one stops working',
    http: 'POST /users/:id/invitation',
    access: 'members.manage',
    webOnly: true,
    effect: 'add',
    secret: true,
    openWorld: true,
    input: z.strictObject({ id, send: z.boolean().default(true) }),
    output: AccountLink,
  }),
  createResetLink: operation({
    summary: 'Create a password reset link for a user',
    http: 'POST /users/:id/reset-link',
    access: 'members.manage',
    webOnly: true,
    effect: 'add',
    secret: true,
    input: z.strictObject({ id }),
    output: AccountLink.extend({ link: z.string() }),
  }),
  requestPasswordReset: operation({
    summary: 'Request a password reset link by email',
    http: 'POST /password-resets',
    access: 'public',
    effect: 'change',
    input: z.strictObject({ email }),
    output: nothing,
  }),
  getAccountLink: operation({
    summary: 'Get the details of an account link',
    http: 'POST /account-links/lookup',
    replaces: [{ name: 'readAccountLink', http: 'POST /account-links/reading' }],
    mount: 'public',
    access: 'public',
    effect: 'read',
    input: z.strictObject({ token }),
    output: z.strictObject({
      kind: z.enum(linkKinds),
      email: z.string().describe('The sign-in address after the link is used'),
      name: z.string(),
      company_name: z.string(),
    }),
  }),
  acceptInvitation: operation({
    summary: 'Accept an invitation and choose a name and password',
    http: 'POST /account-links/invitation',
    mount: 'public',
    access: 'public',
    effect: 'change',
    secret: true,
    input: z.strictObject({ token, name: personName, password }),
    output: nothing,
  }),
  confirmEmail: operation({
    summary: 'Confirm a new sign-in address with the link sent to it',
    http: 'POST /account-links/email',
    mount: 'public',
    access: 'public',
    effect: 'change',
    secret: true,
    input: z.strictObject({ token }),
    output: nothing,
  }),
  resetPassword: operation({
    summary: 'Set a new password with a reset link and end all sessions',
    http: 'POST /account-links/reset',
    mount: 'public',
    access: 'public',
    effect: 'change',
    secret: true,
    input: z.strictObject({ token, password }),
    output: nothing,
  }),
}
