// Checks the signature of a request from Kith: https://www.standardwebhooks.com
import { createHmac, timingSafeEqual } from 'node:crypto'

type Headers = Record<string, string | string[] | undefined>
const toleratedSeconds = 5 * 60

/** Why a request must not be trusted, or undefined if its signature is right. */
export function signatureProblem(secret: string, headers: Headers, body: Uint8Array, now = new Date()) {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  )
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    return 'The signature is missing.'
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (!(age <= toleratedSeconds)) return 'The request is too old, or the clocks of the two servers differ.'
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  // While a secret is being replaced, there is a signature for each.
  const isSigned = signatures.split(' ').some((text) => {
    const [version, signature = ''] = text.split(',')
    const given = Buffer.from(signature, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isSigned ? undefined : 'The signature is invalid.'
}
