import * as z from 'zod'
import { Company } from './company.ts'
import { Me } from './me.ts'
import { operation } from './operation.ts'
import { email, fullPage, id, moment, nothing, pageOf, password } from './shared/shapes.ts'

export const SignedIn = z.strictObject({ state: z.literal('signed_in'), me: Me, company: Company })

/** The password was correct, but the account also requires a second factor. */
export const SecondStep = z.strictObject({
  state: z.literal('second_step'),
  step_token: z.string().describe('Send it with the code within ten minutes'),
})
export const SignInAnswer = z.discriminatedUnion('state', [SignedIn, SecondStep])

/** What a visitor can do next: set up Kith, sign in, or use the app. */
export const SessionState = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('set_up'),
    open: z.boolean().describe('Whether this visitor can set up Kith without the setup link'),
  }),
  z.strictObject({
    state: z.literal('signed_out'),
    mails: z.boolean().describe('Whether reset links can be sent by email'),
    sign_up: z
      .enum(['closed', 'open', 'by_mail'])
      .describe('Whether visitors can create a company; by_mail: with a link sent by email'),
  }),
  SignedIn,
])

/** A browser in which someone is signed in. */
export const Session = z
  .strictObject({
    id,
    created_at: moment,
    last_seen_at: moment,
    ip: z.string().nullable(),
    client: z.string().nullable().describe('Browser, from its User-Agent'),
    is_current: z.boolean(),
  })
  .meta({ id: 'Session' })

export const currentPassword = z.string().min(1, 'Enter your current password').max(128)

export const session = {
  getSession: operation({
    summary: 'Get the session state',
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
    output: SignInAnswer,
  }),
  completeSignIn: operation({
    summary: 'Complete sign-in with a code from the authenticator app or a recovery code',
    http: 'POST /session/second-step',
    access: 'public',
    effect: 'add',
    secret: true,
    input: z.strictObject({
      step_token: z.string().min(1).max(100),
      code: z.string().trim().min(6, 'Enter the six-digit code or a recovery code').max(40),
    }),
    output: SignedIn,
  }),
  signOut: operation({
    summary: 'Sign out',
    http: 'DELETE /session',
    access: 'member',
    webOnly: true,
    effect: 'change',
    input: nothing,
    output: nothing,
  }),
  listSessions: operation({
    summary: 'List your sessions',
    http: 'GET /sessions',
    access: 'member',
    webOnly: true,
    effect: 'read',
    input: z.strictObject(fullPage),
    output: pageOf(Session),
  }),
  deleteSession: operation({
    summary: 'End a session',
    http: 'DELETE /sessions/:id',
    replaces: [{ name: 'endSession' }],
    access: 'member',
    webOnly: true,
    effect: 'change',
    input: z.strictObject({ id }),
    output: nothing,
  }),
  signOutEverywhere: operation({
    summary: 'End all your sessions on every device',
    http: 'DELETE /sessions',
    access: 'member',
    webOnly: true,
    effect: 'change',
    input: nothing,
    output: nothing,
  }),
  updatePassword: operation({
    summary: 'Change your password and end your other sessions',
    http: 'PUT /session/password',
    replaces: [{ name: 'changePassword' }],
    access: 'member',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({ current_password: currentPassword, new_password: password }),
    output: nothing,
  }),
}
