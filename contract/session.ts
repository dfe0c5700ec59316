import * as z from 'zod'
import { Company } from './company.ts'
import { Me } from './me.ts'
import { operation } from './operation.ts'
import { email, id, moment, nothing, password } from './shapes.ts'

export const SignedIn = z.strictObject({ state: z.literal('signed_in'), me: Me, company: Company })

/** The password was right, and the account wants a second proof. */
export const SecondStep = z.strictObject({
  state: z.literal('second_step'),
  step_token: z.string().describe('Hand it in with the code, within ten minutes'),
})
export const SignInAnswer = z.discriminatedUnion('state', [SignedIn, SecondStep])

/** Where a visitor stands: nobody has set Kith up yet, a stranger, or a signed-in person. */
export const SessionState = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('set_up'),
    open: z.boolean().describe('May this visitor set up without the link?'),
  }),
  z.strictObject({
    state: z.literal('signed_out'),
    mails: z.boolean().describe('Can a reset link be sent by e-mail?'),
    sign_up: z.enum(['closed', 'open', 'by_mail']).describe('How strangers create a company; by_mail: with a link'),
  }),
  SignedIn,
])

/** One browser in which somebody is signed in. */
export const Session = z
  .strictObject({
    id,
    created_at: moment,
    last_seen_at: moment,
    ip: z.string().nullable(),
    client: z.string().nullable().describe('As the browser calls itself'),
    is_current: z.boolean(),
  })
  .meta({ id: 'Session' })

export const currentPassword = z.string().min(1, 'Enter your current password').max(128)

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
    output: SignInAnswer,
  }),
  completeSignIn: operation({
    summary: 'Sign in with the second step: a code of the app, or a recovery code',
    http: 'POST /session/second-step',
    access: 'public',
    effect: 'add',
    secret: true,
    input: z.strictObject({
      step_token: z.string().min(1).max(100),
      code: z.string().trim().min(6, 'Enter the six digits, or a recovery code').max(40),
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
    summary: 'List the browsers in which you are signed in',
    http: 'GET /sessions',
    access: 'member',
    webOnly: true,
    effect: 'read',
    input: nothing,
    output: z.strictObject({ items: z.array(Session) }),
  }),
  endSession: operation({
    summary: 'Sign out one browser',
    http: 'DELETE /sessions/:id',
    access: 'member',
    webOnly: true,
    effect: 'change',
    input: z.strictObject({ id }),
    output: nothing,
  }),
  signOutEverywhere: operation({
    summary: 'End all your sessions, on every device',
    http: 'DELETE /sessions',
    access: 'member',
    webOnly: true,
    effect: 'change',
    input: nothing,
    output: nothing,
  }),
  changePassword: operation({
    summary: 'Change your password and end your other sessions',
    http: 'PUT /session/password',
    access: 'member',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({ current_password: currentPassword, new_password: password }),
    output: nothing,
  }),
}
