import * as z from 'zod'
import { AccountLink, User } from './members.ts'
import { operation } from './operation.ts'
import { roleName } from './roles.ts'
import { SignInAnswer } from './session.ts'
import { email, id, nothing, password, personName } from './shapes.ts'

export const linkKinds = ['invitation', 'reset', 'email'] as const
const token = z.string().min(1).max(100)

// A link is as good as a password, so a key may not make one.
export const accountLinks = {
  inviteUser: operation({
    summary: 'Invite somebody: by a link to pass on, and by e-mail where mail is set up',
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
      send: z.boolean().default(true).describe('Send it by e-mail, where mail is set up'),
    }),
    output: AccountLink.extend({ user: User }),
  }),
  renewInvitation: operation({
    summary: 'Make a new link for somebody who was invited; the old one ends',
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
    summary: 'Make a link with which a user sets a new password',
    http: 'POST /users/:id/reset-link',
    access: 'members.manage',
    webOnly: true,
    effect: 'add',
    secret: true,
    input: z.strictObject({ id }),
    output: AccountLink.extend({ link: z.string() }),
  }),
  requestPasswordReset: operation({
    summary: 'Ask for a link to set a new password, by e-mail',
    http: 'POST /password-resets',
    access: 'public',
    effect: 'change',
    input: z.strictObject({ email }),
    output: nothing,
  }),
  readAccountLink: operation({
    summary: 'Get what a link is for',
    http: 'POST /account-links/reading',
    access: 'public',
    effect: 'read',
    input: z.strictObject({ token }),
    output: z.strictObject({
      kind: z.enum(linkKinds),
      email: z.string().describe('The address that signs in once the link was used'),
      name: z.string(),
      company_name: z.string(),
    }),
  }),
  acceptInvitation: operation({
    summary: 'Accept an invitation: choose a name and a password',
    http: 'POST /account-links/invitation',
    access: 'public',
    effect: 'change',
    secret: true,
    input: z.strictObject({ token, name: personName, password }),
    output: SignInAnswer,
  }),
  confirmEmail: operation({
    summary: 'Confirm a new sign-in address by the link that was sent to it',
    http: 'POST /account-links/email',
    access: 'public',
    effect: 'change',
    secret: true,
    input: z.strictObject({ token }),
    output: nothing,
  }),
  resetPassword: operation({
    summary: 'Set a new password by a link; all sessions end',
    http: 'POST /account-links/reset',
    access: 'public',
    effect: 'change',
    secret: true,
    input: z.strictObject({ token, password }),
    output: SignInAnswer,
  }),
}
