import { session } from '../../../contract/session.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import { prepared } from '../../kernel/run.ts'
import type { Vault } from '../../platform/vault.ts'
import { about, countCodeOrRefuse } from '../credentials/throttle.ts'
import { takeCode } from '../credentials/two-factor.ts'
import { enter, signedIn } from '../sessions/queries.ts'
import { countCode, endStep, findStep } from '../sessions/steps.ts'

export const completeSignIn = (vault: Vault) =>
  prepared(session.completeSignIn, admitCode, async (context, { step_token, code }, { user, undo }) => {
    const { db } = context
    const proof = await takeCode(context, vault, user, code)
    if (!proof) throw wrongCode(user)
    await endStep(db, step_token)
    await undo(db)
    if (proof === 'recovery_code') context.audit('recovery_code.used', { target_id: user.user_id, by: user })
    await enter(context, user)
    return signedIn(db, user)
  })

/** Counts the code outside the transaction, because a wrong code rolls the transaction back. */
async function admitCode(context: Context, { step_token }: { step_token: string }) {
  const { db, now } = context
  const user = await findStep(db, step_token, now)
  const undo = await countCodeOrRefuse(context, user.email ?? user.user_id, user)
  await countCode(db, step_token, user, now)
  return { user, undo }
}

const wrongCode = (user: Actor) =>
  new AppError('unauthenticated', 'This code is incorrect or was already used. Enter the next code from your app.', {
    audit: { ...about(user), action: 'two_factor.refused' },
  })
