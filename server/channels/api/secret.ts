// The secret of an API channel. It signs in both directions, as Standard Webhooks asks.
import { createHash, type KeyObject } from 'node:crypto'
import { signatureMinutes } from '../../../contract/gateways.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Signed } from '../../kernel/context.ts'
import { signingKey, type Verified, verify as verifySignature } from '../../platform/standard-webhooks.ts'
import type { Vault } from '../../platform/vault.ts'
import { type GatewayChannel, openChannel } from '../gateway/find-channel.ts'

/** `channels.secrets` of an API channel. */
export type ApiSecrets = { secret: string; old?: { secret: string; expires_at: string } }
/** `channels.settings`. `fetched_at` is up to a minute old. */
export type ApiSettings = { webhook_url: string | null; old_secret_expires_at?: string; fetched_at?: string }

/** All that count at the moment, the current one first. */
export function keysOf(vault: Vault, channel: Pick<GatewayChannel, 'company_id' | 'id' | 'secrets'>, now: Date) {
  const secrets = openChannel<ApiSecrets>(vault, channel)
  if (!secrets) return []
  const { secret, old } = secrets
  const isOldValid = old && new Date(old.expires_at) > now
  return [secret, ...(isOldValid ? [old.secret] : [])].map(signingKey)
}

/** The ID of the post, if it is signed. The same error whatever is wrong with the signature. */
export function verify(keys: KeyObject[], signed: Signed, now: Date) {
  const verified = verifySignature(keys, signed, now, signatureMinutes)
  if (verified.problem === undefined) return verified.id
  throw new AppError('invalid_signature', textOf(verified))
}

function textOf(failed: Exclude<Verified, { id: string }>) {
  if (failed.problem === 'late')
    return `webhook-timestamp is ${Math.round(failed.minutesOff)} minutes off; ${signatureMinutes} are allowed. Check the clock of your app, and sign each attempt again.`
  return texts[failed.problem]
}

const texts = {
  missing: 'Send the headers webhook-id, webhook-timestamp and webhook-signature.',
  long_id: 'A webhook-id can have at most 300 characters.',
  wrong: 'The signature is wrong. Sign id.timestamp.body with the secret of this channel.',
  no_time: 'webhook-timestamp is not a number of seconds since 1970.',
}

export const digestOf = (body: Buffer) => createHash('sha256').update(body).digest()
