import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../kernel/app-error.ts'
import type { Signed } from '../../kernel/context.ts'

/** A text has at most 1,600 characters, and up to ten files are named. */
const mostBytes = 64 * 1024

/** Over the address as Twilio knows it, not as a proxy passes it on. */
export function verify(auth_token: string, address: string, { body, headers }: Signed) {
  // Anyone can post this, and it must be read before it is known who did.
  if (body.length > mostBytes) throw new AppError('too_large', 'This request is too large to be from Twilio.')
  const fields = new URLSearchParams(body.toString())
  const byName = [...Map.groupBy(fields, ([name]) => name)].sort(([a], [b]) => (a < b ? -1 : 1))
  const content =
    address +
    byName
      .map(([name, pairs]) =>
        [...new Set(pairs.map(([, value]) => value))]
          .sort()
          .map((value) => name + value)
          .join(''),
      )
      .join('')
  const wanted = Buffer.from(createHmac('sha1', auth_token).update(content).digest('base64'))
  const given = Buffer.from(String(headers['x-twilio-signature'] ?? ''))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new AppError('invalid_signature', 'The signature is wrong. Check the address in Twilio and BASE_URL.')
  return fields
}
