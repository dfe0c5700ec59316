import * as z from 'zod'
import { operation } from './operation.ts'
import { currentPassword } from './session.ts'
import { moment, nothing } from './shared/shapes.ts'

export const recoveryCodeCount = 10
const recovery_codes = z.array(z.string()).describe('Each code works once. They are not shown again')

export const twoFactor = {
  getTwoFactor: operation({
    summary: 'Get the two-factor status',
    http: 'GET /me/two-factor',
    access: 'member',
    webOnly: true,
    effect: 'read',
    input: nothing,
    output: z.strictObject({ on_since: moment.nullable(), recovery_codes_left: z.int() }),
  }),
  startTwoFactor: operation({
    summary: 'Create a secret for an authenticator app. Two-factor sign-in stays off until confirmed',
    http: 'POST /me/two-factor/secret',
    access: 'member',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({ current_password: currentPassword }),
    output: z.strictObject({
      secret: z.string().describe('For manual entry'),
      uri: z.string().describe('For a QR code'),
    }),
  }),
  confirmTwoFactor: operation({
    summary: 'Turn on two-factor sign-in with a code from the authenticator app',
    http: 'PUT /me/two-factor',
    access: 'member',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({
      code: z
        .string()
        .trim()
        .regex(/^\d{6}$/, 'Enter the six-digit code from the app'),
    }),
    output: z.strictObject({ recovery_codes }),
  }),
  renewRecoveryCodes: operation({
    summary: 'Create new recovery codes; the old ones stop working',
    http: 'POST /me/two-factor/recovery-codes',
    access: 'member',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({ current_password: currentPassword }),
    output: z.strictObject({ recovery_codes }),
  }),
  deleteTwoFactor: operation({
    summary: 'Turn off two-factor sign-in',
    http: 'POST /me/two-factor/deletion',
    replaces: [{ name: 'turnOffTwoFactor' }],
    access: 'member',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({ current_password: currentPassword }),
    output: nothing,
  }),
}
