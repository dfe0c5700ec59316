import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { findUserByEmail } from '../users/queries.ts'
import { verifyPassword } from './passwords.ts'
import { countOrRefuse } from './throttle.ts'

/** Asks the signed-in user for their password again. Slow, so call it outside a transaction. */
export async function checkPassword(context: Context, given: string, path = 'current_password') {
  const { email, user_id } = actorOf(context)
  const user = email === null ? undefined : await findUserByEmail(context.db, email)
  const { isRight } = await tryPassword(context, email ?? user_id, given, user)
  if (isRight) return
  throw new AppError('invalid_input', 'Your current password is incorrect. Nothing was changed.', {
    errors: [{ path, message: 'This is not your current password' }],
  })
}

type User = Awaited<ReturnType<typeof findUserByEmail>>

/** Verifies a password, unless there were too many failed attempts recently. */
export async function tryPassword(context: Context, email: string, password: string, user: User) {
  const undo = await countOrRefuse(context, email, user)
  const verdict = await verifyPassword(password, user?.password_hash ?? null)
  if (verdict.isRight) await undo()
  return verdict
}
