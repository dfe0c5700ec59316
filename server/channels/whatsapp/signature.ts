import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../kernel/app-error.ts'
import type { Signed } from '../../kernel/context.ts'

export function isSignedBy(app_secret: string, { body, headers }: Signed) {
  const wanted = Buffer.from(`sha256=${createHmac('sha256', app_secret).update(body).digest('hex')}`)
  const given = Buffer.from(String(headers['x-hub-signature-256'] ?? ''))
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

export function verify(app_secret: string, signed: Signed) {
  if (!isSignedBy(app_secret, signed))
    throw new AppError('invalid_signature', 'The signature is wrong. Check the app secret of the channel.')
}
