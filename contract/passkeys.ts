import * as z from 'zod'
import { operation } from './operation.ts'
import { currentPassword, SignedIn } from './session.ts'
import { id, moment, nameOf, nothing } from './shared/shapes.ts'

export const passkeyName = nameOf('Enter the name of the device that stores this passkey')

export const Passkey = z
  .strictObject({ id, name: z.string(), created_at: moment, last_used_at: moment.nullable() })
  .meta({ id: 'Passkey' })

/** Input and output of the browser's WebAuthn functions. The WebAuthn library validates them. */
const fromBrowser = z.record(z.string(), z.unknown())
const forBrowser = z.strictObject({ options: z.record(z.string(), z.unknown()) })

export const passkeys = {
  listPasskeys: operation({
    summary: 'List your passkeys',
    http: 'GET /me/passkeys',
    access: 'member',
    webOnly: true,
    effect: 'read',
    input: nothing,
    output: z.strictObject({ items: z.array(Passkey) }),
  }),
  startPasskey: operation({
    summary: 'Start adding a passkey',
    http: 'POST /me/passkeys/options',
    access: 'member',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject({ current_password: currentPassword }),
    output: forBrowser,
  }),
  createPasskey: operation({
    summary: 'Add a passkey',
    http: 'POST /me/passkeys',
    replaces: [{ name: 'addPasskey' }],
    access: 'member',
    webOnly: true,
    effect: 'add',
    secret: true,
    input: z.strictObject({ name: passkeyName, response: fromBrowser }),
    output: Passkey,
  }),
  updatePasskey: operation({
    summary: 'Rename a passkey',
    http: 'PATCH /me/passkeys/:id',
    replaces: [{ name: 'renamePasskey' }],
    access: 'member',
    webOnly: true,
    effect: 'change',
    input: z.strictObject({ id, name: passkeyName }),
    output: Passkey,
  }),
  deletePasskey: operation({
    summary: 'Delete a passkey',
    http: 'DELETE /me/passkeys/:id',
    access: 'member',
    webOnly: true,
    effect: 'destroy',
    input: z.strictObject({ id }),
    output: nothing,
  }),
  startPasskeySignIn: operation({
    summary: 'Start signing in with a passkey',
    http: 'POST /session/passkey/options',
    access: 'public',
    effect: 'change',
    secret: true,
    input: nothing,
    output: forBrowser,
  }),
  signInWithPasskey: operation({
    summary: 'Sign in with a passkey, without a second step',
    http: 'POST /session/passkey',
    access: 'public',
    effect: 'add',
    secret: true,
    input: z.strictObject({ response: fromBrowser }),
    output: SignedIn,
  }),
}
