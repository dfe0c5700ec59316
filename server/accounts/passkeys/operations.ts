import { randomUUIDv7 } from 'node:crypto'
import type { Parsed } from '../../../contract/operation.ts'
import { passkeys } from '../../../contract/passkeys.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { refuseMore } from '../../kernel/limits.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import { isUniqueViolation } from '../../platform/db.ts'
import { checkPassword } from '../credentials/check-password.ts'
import { createFloodGate } from './challenge-limit.ts'
import { keepChallenge, takeChallenge } from './queries.ts'
import { challengeIn, type RelyingParty, relyingParty } from './relying-party.ts'
import { signInWithPasskey } from './sign-in.ts'

const mostPasskeys = 20
const columns = ['id', 'name', 'created_at', 'last_used_at'] as const

export function passkeyOperations({ baseUrl }: { baseUrl: URL }): Handlers<typeof passkeys> {
  const party = relyingParty(baseUrl)
  const admit = createFloodGate()
  return {
    async listPasskeys(context) {
      const rows = await ownPasskeys(context).select(columns).orderBy('id').execute()
      return { items: rows.map(toPasskey) }
    },

    startPasskey: prepared(
      passkeys.startPasskey,
      async (context, { current_password }) => {
        await checkPassword(context, current_password)
        const known = await ownPasskeys(context).select(['credential_id as id', 'transports']).execute()
        refuseMore(known.length, mostPasskeys, 'passkeys')
        return party.creationOptions(actorOf(context), known)
      },
      async (context, _input, options) => {
        await keepChallenge(context.db, options.challenge, actorOf(context).user_id, context.now)
        return { options: { ...options } }
      },
    ),

    createPasskey: prepared(passkeys.createPasskey, readNew(party), createPasskey),

    async updatePasskey(context, { id, name }) {
      const { company_id, user_id } = actorOf(context)
      const renamed = await context.db
        .updateTable('passkeys')
        .set({ name })
        .where('company_id', '=', company_id)
        .where('user_id', '=', user_id)
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirst()
      if (!renamed) throw noSuchPasskey()
      return toPasskey(renamed)
    },

    async deletePasskey(context, { id }) {
      const { company_id, user_id } = actorOf(context)
      const deleted = await context.db
        .deleteFrom('passkeys')
        .where('company_id', '=', company_id)
        .where('user_id', '=', user_id)
        .where('id', '=', id)
        .returning('name')
        .executeTakeFirst()
      if (!deleted) throw noSuchPasskey()
      context.emit('user.account_changed', { user_id, what: 'passkey_deleted' })
      context.audit('passkey.deleted', { target_id: user_id, data: { name: deleted.name } })
      return {}
    },

    startPasskeySignIn: prepared(
      passkeys.startPasskeySignIn,
      async ({ ip, now }) => {
        admit(ip, now)
        return party.requestOptions()
      },
      async ({ db, now }, _input, options) => {
        await keepChallenge(db, options.challenge, null, now)
        return { options: { ...options } }
      },
    ),

    signInWithPasskey: signInWithPasskey(party),
  }
}

type NewPasskey = Parsed<typeof passkeys.createPasskey>
type Credential = NonNullable<Awaited<ReturnType<RelyingParty['readCreated']>>>

const readNew =
  (party: RelyingParty) =>
  async (context: Context, { response }: NewPasskey): Promise<Credential> => {
    const challenge = challengeIn(response)
    const isOurs = await takeChallenge(context.db, challenge, actorOf(context).user_id, context.now)
    const credential = isOurs && (await party.readCreated(response, challenge!))
    if (credential) return credential
    throw new AppError('invalid_input', 'The passkey could not be verified, or it took too long. Start again.', {
      errors: [{ path: 'response', message: 'Start again and confirm on your device within five minutes' }],
    })
  }

async function createPasskey(
  context: Context,
  { name }: NewPasskey,
  { id: credential_id, publicKey, counter, transports }: Credential,
) {
  const { company_id, user_id } = actorOf(context)
  const { db, now: created_at } = context
  await db
    .selectFrom('users')
    .select('id')
    .where('company_id', '=', company_id)
    .where('id', '=', user_id)
    .forNoKeyUpdate()
    .execute()
  refuseMore((await ownPasskeys(context).select('id').execute()).length, mostPasskeys, 'passkeys')
  const row = { company_id, id: randomUUIDv7(), user_id, name, created_at }
  await db
    .insertInto('passkeys')
    .values({ ...row, credential_id, public_key: Buffer.from(publicKey), counter, transports })
    .execute()
    .catch((error) => {
      if (!isUniqueViolation(error, 'passkeys_credential_id_key')) throw error
      throw new AppError('conflict', 'This passkey is already in use. Create a new one.')
    })
  context.emit('user.account_changed', { user_id, what: 'passkey_added' })
  context.audit('passkey.added', { target_id: user_id, data: { name } })
  return toPasskey({ ...row, last_used_at: null })
}

function ownPasskeys({ db, ...caller }: Context) {
  const { company_id, user_id } = actorOf(caller)
  return db.selectFrom('passkeys').where('company_id', '=', company_id).where('user_id', '=', user_id)
}

const toPasskey = (row: { id: string; name: string; created_at: Date; last_used_at: Date | null }) => ({
  id: row.id,
  name: row.name,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
})

const noSuchPasskey = () => new AppError('not_found', 'Passkey not found. Reload the list and try again.')
