// Signs requests as Standard Webhooks asks (https://www.standardwebhooks.com).
import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

export const newSecret = () => prefix + randomBytes(32).toString('base64')

/** With several secrets while one replaces another: a receiver accepts any signature that it can verify. */
export function signatureHeaders(secrets: string[], id: string, at: Date, body: string) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const content = `${id}.${timestamp}.${body}`
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
