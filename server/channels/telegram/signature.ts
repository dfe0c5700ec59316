import { timingSafeEqual } from 'node:crypto'
import { AppError } from '../../kernel/app-error.ts'
import type { Signed } from '../../kernel/context.ts'

/** Telegram sends the secret with each update. It does not sign the body. */
export function verify(secret: string | undefined, headers: Signed['headers']) {
  const [given, expected] = [headers['x-telegram-bot-api-secret-token'], secret].map((text) =>
    Buffer.from(String(text)),
  )
  if (!secret || given!.length !== expected!.length || !timingSafeEqual(given!, expected!))
    throw new AppError('invalid_signature', 'The secret token is wrong. Connect the bot again.')
}
