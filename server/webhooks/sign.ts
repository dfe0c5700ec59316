// Signs requests as Standard Webhooks asks (https://www.standardwebhooks.com).
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

export const newSecret = () => prefix + randomBytes(32).toString('base64')

/** Made once for many requests: making one takes longer than signing. */
export const signingKey = (secret: string) => createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64'))

/** With several secrets while one replaces another: a receiver accepts any signature that it can verify. */
export function signatureHeaders(keys: KeyObject[], id: string, at: Date, body: string) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const content = `${id}.${timestamp}.${body}`
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
