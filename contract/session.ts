import * as z from 'zod'
import { Company } from './company.ts'
import { Me } from './me.ts'
import { operation } from './operation.ts'
import { email, nothing, password } from './shapes.ts'

export const SignedIn = z.strictObject({ state: z.literal('signed_in'), me: Me, company: Company })

/** Where a visitor stands: nobody has set Kith up yet, a stranger, or a signed-in person. */
export const SessionState = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('set_up'),
    open: z.boolean().describe('May this visitor set up without the link?'),
  }),
  z.strictObject({ state: z.literal('signed_out') }),
  SignedIn,
])

export const session = {
  getSession: operation({
    summary: 'Tell where the visitor stands',
    http: 'GET /session',
    access: 'public',
    effect: 'read',
    input: nothing,
    output: SessionState,
  }),
  signIn: operation({
    summary: 'Sign in',
    http: 'POST /session',
    access: 'public',
    effect: 'add',
    secret: true,
    input: z.strictObject({ email, password: z.string().min(1, 'Enter your password').max(128) }),
    output: SignedIn,
  }),
  signOut: operation({
    summary: 'Sign out',
    http: 'DELETE /session',
    access: 'session',
    effect: 'change',
    input: nothing,
    output: nothing,
  }),
  signOutEverywhere: operation({
    summary: 'End all your sessions, on every device',
    http: 'DELETE /sessions',
    access: 'session',
    effect: 'change',
    input: nothing,
    output: nothing,
  }),
  changePassword: operation({
    summary: 'Change your password and end your other sessions',
    http: 'PUT /session/password',
    access: 'session',
    effect: 'change',
    secret: true,
    input: z.strictObject({
      current_password: z.string().min(1, 'Enter your current password').max(128),
      new_password: password,
    }),
    output: nothing,
  }),
}
