import { twoFactor } from '../../../contract/two-factor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { Vault } from '../../platform/vault.ts'
import { checkPassword } from '../credentials/check-password.ts'
import { newRecoveryCodes, newSecret, readRecoveryCode, timeStepOf, uriOf } from '../credentials/codes.ts'
import { countOrRefuse } from '../credentials/throttle.ts'
import { forgetTwoFactorOf, placeOfSecret } from '../credentials/two-factor.ts'
import { startAfresh } from '../sessions/queries.ts'

export const twoFactorOperations = ({ vault }: { vault: Vault }): Handlers<typeof twoFactor> => ({
  async getTwoFactor(context) {
    const { totp_on_since } = await ownUser(context).executeTakeFirstOrThrow()
    const { left } = await ownCodes(context)
      .select(({ fn }) => fn.countAll<string>().as('left'))
      .executeTakeFirstOrThrow()
    return { on_since: totp_on_since?.toISOString() ?? null, recovery_codes_left: Number(left) }
  },

  startTwoFactor: prepared(twoFactor.startTwoFactor, knowsPassword, async (context) => {
    const { company_name, email, name } = actorOf(context)
    const { totp_on_since } = await lockUser(context)
    if (totp_on_since)
      throw new AppError('conflict', 'Two-factor sign-in is already on. Turn it off first to set it up again.')
    const secret = newSecret()
    await setUser(context, { totp_secret: vault.seal(secret, placeOfSecret(actorOf(context))) })
    return { secret, uri: uriOf(secret, `${company_name} (${email ?? name})`) }
  }),

  confirmTwoFactor: prepared(
    twoFactor.confirmTwoFactor,
    async (context) => {
      const actor = actorOf(context)
      return countOrRefuse(context, actor.email ?? actor.user_id, actor)
    },
    async (context, { code }, undo) => {
      const actor = actorOf(context)
      const { totp_secret, totp_on_since } = await lockUser(context)
      if (totp_on_since) throw new AppError('conflict', 'Two-factor sign-in is already on. Reload the page.')
      if (!totp_secret)
        throw new AppError(
          'conflict',
          'Start setting up two-factor sign-in first, then enter the code from your authenticator app.',
        )
      const step = timeStepOf(vault.open(totp_secret, placeOfSecret(actor)), code, context.now)
      if (step === null) throw wrongCode()
      await undo(context.db)
      await setUser(context, { totp_on_since: context.now, totp_last_step: step })
      const recovery_codes = await renewCodes(context)
      await startAfresh(context, actor)
      note(context, 'two_factor.turned_on', 'two_factor_on')
      return { recovery_codes }
    },
  ),

  renewRecoveryCodes: prepared(twoFactor.renewRecoveryCodes, knowsPassword, async (context) => {
    await lockTurnedOn(context)
    const recovery_codes = await renewCodes(context)
    note(context, 'recovery_codes.renewed', 'recovery_codes')
    return { recovery_codes }
  }),

  deleteTwoFactor: prepared(twoFactor.deleteTwoFactor, knowsPassword, async (context) => {
    await lockTurnedOn(context)
    await forgetTwoFactorOf(context.db, actorOf(context))
    note(context, 'two_factor.turned_off', 'two_factor_off')
    return {}
  }),
})

const knowsPassword = (context: Context, { current_password }: { current_password: string }) =>
  checkPassword(context, current_password)

async function lockTurnedOn(context: Context) {
  const { totp_on_since } = await lockUser(context)
  if (!totp_on_since) throw new AppError('conflict', 'Two-factor sign-in is off. Reload the page.')
}

const lockUser = (context: Context) => ownUser(context).forNoKeyUpdate().executeTakeFirstOrThrow()

function ownUser(context: Context) {
  const { company_id, user_id } = actorOf(context)
  const users = context.db.selectFrom('users').select(['totp_secret', 'totp_on_since'])
  return users.where('company_id', '=', company_id).where('id', '=', user_id)
}

type Totp = { totp_secret?: Buffer | null; totp_on_since?: Date | null; totp_last_step?: number | null }

function setUser(context: Context, values: Totp) {
  const { company_id, user_id } = actorOf(context)
  const users = context.db.updateTable('users').set(values)
  return users.where('company_id', '=', company_id).where('id', '=', user_id).execute()
}

/** The codes are shown once; the database keeps only their hashes. */
async function renewCodes(context: Context) {
  const { company_id, user_id } = actorOf(context)
  const codes = newRecoveryCodes()
  await endCodes(context)
  const rows = codes.map((code) => ({ company_id, user_id, code_hash: sha256(readRecoveryCode(code)) }))
  await context.db.insertInto('recovery_codes').values(rows).execute()
  return codes
}

function ownCodes({ db, ...caller }: Context) {
  const { company_id, user_id } = actorOf(caller)
  return db.selectFrom('recovery_codes').where('company_id', '=', company_id).where('user_id', '=', user_id)
}

function endCodes({ db, ...caller }: Context) {
  const { company_id, user_id } = actorOf(caller)
  return db.deleteFrom('recovery_codes').where('company_id', '=', company_id).where('user_id', '=', user_id).execute()
}

type TwoFactorAction = 'two_factor.turned_on' | 'two_factor.turned_off' | 'recovery_codes.renewed'

function note(context: Context, action: TwoFactorAction, what: string) {
  const { user_id } = actorOf(context)
  context.emit('user.account_changed', { user_id, what })
  context.audit(action, { target_id: user_id })
}

const wrongCode = () =>
  new AppError('invalid_input', 'This code is incorrect. Enter the current code from your app.', {
    errors: [{ path: 'code', message: 'This is not the current code. Check that the clock of your device is correct' }],
  })
