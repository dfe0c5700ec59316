import * as z from 'zod'
import { operation } from './operation.ts'
import { currentPassword } from './session.ts'
import { moment, nothing } from './shapes.ts'

export const recoveryCodeCount = 10
const recovery_codes = z.array(z.string()).describe('Each works once; shown only now')

export const twoFactor = {
  getTwoFactor: operation({
    summary: 'Tell whether two-factor sign-in is on',
    http: 'GET /me/two-factor',
    access: 'member',
    webOnly: true,
    effect: 'read',
    input: nothing,
    output: z.strictObject({ on_since: moment.nullable(), recovery_codes_left: z.int() }),
  }),
  startTwoFactor: operation({
    summary: 'Make a secret for the authenticator app; nothing is on until a code was given back',
    http: 'POST /me/two-factor/secret',
    access: 'member',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({ current_password: currentPassword }),
    output: z.strictObject({
      secret: z.string().describe('To type in by hand'),
      uri: z.string().describe('To show as a QR code'),
    }),
  }),
  confirmTwoFactor: operation({
    summary: 'Turn two-factor sign-in on with a code of the app',
    http: 'PUT /me/two-factor',
    access: 'member',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({
      code: z
        .string()
        .trim()
        .regex(/^\d{6}$/, 'Enter the six digits that the app shows'),
    }),
    output: z.strictObject({ recovery_codes }),
  }),
  renewRecoveryCodes: operation({
    summary: 'Make new recovery codes; the old ones end',
    http: 'POST /me/two-factor/recovery-codes',
    access: 'member',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({ current_password: currentPassword }),
    output: z.strictObject({ recovery_codes }),
  }),
  turnOffTwoFactor: operation({
    summary: 'Turn two-factor sign-in off',
    http: 'POST /me/two-factor/removal',
    access: 'member',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({ current_password: currentPassword }),
    output: nothing,
  }),
}
