// The secret of an API channel. It signs in both directions, as Standard Webhooks asks.
import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { signatureMinutes } from '../../../contract/gateways.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Signed } from '../../kernel/context.ts'
import type { Vault } from '../../platform/vault.ts'
import { signingKey } from '../../webhooks/sign.ts'
import { type GatewayChannel, openChannel } from '../gateway/channel.ts'

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
export function verify(keys: KeyObject[], { body, headers }: Signed, now: Date) {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name] ?? ''),
  ) as [string, string, string]
  if (!id || !timestamp || !signatures)
    throw refused('Send the headers webhook-id, webhook-timestamp and webhook-signature.')
  if (id.length > 300) throw refused('A webhook-id has at most 300 characters.')
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  const minutesOff = Math.abs(now.getTime() / 1000 - seconds) / 60
  const wanted = keys.map((key) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body)
    return Buffer.from(hmac.digest('base64'))
  })
  const given = signatures.split(' ', 10).flatMap((one) => (one.startsWith('v1,') ? [Buffer.from(one.slice(3))] : []))
  const isSigned = given.some((one) => wanted.some((key) => key.length === one.length && timingSafeEqual(key, one)))
  if (!isSigned) throw refused('The signature is wrong. Sign id.timestamp.body with the secret of this channel.')
  if (Number.isNaN(minutesOff)) throw refused('webhook-timestamp is not a number of seconds since 1970.')
  if (minutesOff > signatureMinutes)
    throw refused(
      `webhook-timestamp is ${Math.round(minutesOff)} minutes off; ${signatureMinutes} are allowed. Check the clock of your program, and sign every attempt again.`,
    )
  return id
}

const refused = (message: string) => new AppError('invalid_signature', message)

export const digestOf = (body: Buffer) => createHash('sha256').update(body).digest()
