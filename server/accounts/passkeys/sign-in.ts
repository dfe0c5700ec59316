import { sql } from 'kysely'
import { passkeys } from '../../../contract/passkeys.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import { prepared } from '../../kernel/run.ts'
import { about } from '../credentials/throttle.ts'
import { enter, signedIn } from '../sessions/queries.ts'
import { findPasskey, takeChallenge } from './queries.ts'
import { challengeIn, type FromBrowser, isToken, type RelyingParty } from './relying-party.ts'

/** A passkey counts as both factors: the device, and the PIN or fingerprint that unlocks it. */
export const signInWithPasskey = (party: RelyingParty) =>
  prepared(
    passkeys.signInWithPasskey,
    (context, { response }) => checkPasskey(context, party, response),
    async (context, _input, { actor, passkey_id, counter }) => {
      const used = await context.db
        .updateTable('passkeys')
        .set({ counter: sql`greatest(counter, ${counter})`, last_used_at: context.now })
        .where('company_id', '=', actor.company_id)
        .where('id', '=', passkey_id)
        .executeTakeFirst()
      if (!used.numUpdatedRows) throw refusal()
      await enter(context, actor)
      return signedIn(context.db, actor)
    },
  )

async function checkPasskey({ db, now }: Context, party: RelyingParty, response: FromBrowser) {
  const challenge = challengeIn(response)
  if (!(await takeChallenge(db, challenge, null, now)) || !isToken(response.id)) throw refusal()
  const passkey = await findPasskey(db, response.id)
  if (!passkey) throw refusal()
  const { actor, passkey_id, public_key, counter } = passkey
  const newCounter = await party.readSigned(response, challenge!, {
    id: response.id,
    publicKey: new Uint8Array(public_key),
    counter: Number(counter),
    user_id: actor.user_id,
  })
  if (newCounter === undefined) throw refusal(actor)
  return { actor, passkey_id, counter: newCounter }
}

/** The same message for an unknown passkey and for a failed one. */
const refusal = (actor?: Actor) =>
  new AppError('unauthenticated', 'This passkey was not recognized. Try again or sign in with your password.', {
    ...(actor && { audit: { ...about(actor), action: 'session.refused' } }),
  })
