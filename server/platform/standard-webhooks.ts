// Signatures of requests as in https://www.standardwebhooks.com
import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'

const prefix = 'whsec_'
const longestId = 300
const mostSignatures = 10

export const newSecret = () => prefix + randomBytes(32).toString('base64')

/** Made once for many requests: making one takes longer than signing. */
export const signingKey = (secret: string) => createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64'))

/** With several keys while one replaces another: a receiver accepts any signature that it can verify. */
export function signatureHeaders(keys: KeyObject[], id: string, at: Date, body: string) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = keys.map((key) => `v1,${signature(key, id, timestamp, body)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

type Received = { body: Uint8Array; headers: Record<string, string | string[] | undefined> }
export type Verified =
  | { id: string; problem?: undefined }
  | { problem: 'missing' | 'long_id' | 'wrong' | 'no_time' }
  | { problem: 'late'; minutesOff: number }

/** The ID of the request if any of the keys has signed it, within so many minutes from now. */
export function verify(keys: KeyObject[], { body, headers }: Received, now: Date, toleratedMinutes: number): Verified {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name] ?? ''),
  ) as [string, string, string]
  if (!id || !timestamp || !signatures) return { problem: 'missing' }
  if (id.length > longestId) return { problem: 'long_id' }
  const expected = keys.map((key) => Buffer.from(signature(key, id, timestamp, body)))
  const given = signatures
    .split(' ', mostSignatures)
    .flatMap((text) => (text.startsWith('v1,') ? [Buffer.from(text.slice(3))] : []))
  const isSigned = given.some((one) => expected.some((own) => own.length === one.length && timingSafeEqual(own, one)))
  if (!isSigned) return { problem: 'wrong' }
  if (!/^\d{1,12}$/.test(timestamp)) return { problem: 'no_time' }
  const minutesOff = Math.abs(now.getTime() / 1000 - Number(timestamp)) / 60
  return minutesOff > toleratedMinutes ? { problem: 'late', minutesOff } : { id }
}

const signature = (key: KeyObject, id: string, timestamp: string, body: string | Uint8Array) =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
