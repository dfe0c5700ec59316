// What signs in to a mailbox: its password, or an access token, which is renewed when it expires.
import { sql } from 'kysely'
import { type Db, transaction } from '../platform/db.ts'
import type { Credentials } from './connect.ts'
import {
  type Mailbox,
  type MailboxSecrets,
  type MailboxServices,
  openSecrets,
  sealSecrets,
  type Tokens,
} from './mailbox.ts'
import { MailboxError } from './mailbox-error.ts'
import { renewAheadMs } from './oauth.ts'

/** `refused`: an access token that a server did not accept although it has not expired. */
export async function credentialsOf(
  db: Db,
  services: MailboxServices,
  mailbox: Mailbox,
  refused?: string,
): Promise<Credentials> {
  const { username } = mailbox
  const secrets = await readSecrets(db, services, mailbox)
  if ('password' in secrets) return { username, password: secrets.password }
  if (isUsable(secrets, refused)) return { username, accessToken: secrets.access_token }
  const { access_token } = await renewed(db, services, mailbox, refused)
  return { username, accessToken: access_token }
}

async function readSecrets(db: Db, { vault }: MailboxServices, mailbox: Mailbox): Promise<MailboxSecrets> {
  const { company_id, id } = mailbox
  const { rows } = await sql<{ secrets: Buffer | null }>`
    select secrets from channels where company_id = ${company_id} and id = ${id}`.execute(db)
  const sealed = rows[0]?.secrets
  if (sealed) return openSecrets(vault, mailbox, sealed)
  throw mailbox.provider
    ? new MailboxError('The sign-in of this mailbox is missing. Sign in again.', 'sign_in')
    : new MailboxError('The password of this mailbox is missing. Enter it again.', 'settings')
}

const isUsable = ({ access_token, expires_at }: Tokens, refused?: string) =>
  access_token !== refused && new Date(expires_at).getTime() - renewAheadMs > Date.now()

/** One process at a time: providers that change the refresh token would refuse the second one. */
const renewed = (db: Db, services: MailboxServices, mailbox: Mailbox, refused?: string) =>
  transaction(db, async (tx) => {
    const { company_id, id, provider } = mailbox
    // Not the row, which the process that holds the mailbox has to update meanwhile.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${company_id} ${id} sign-in`}, 25))`.execute(tx)
    const secrets = await readSecrets(tx, services, mailbox)
    if ('password' in secrets || !provider)
      throw new MailboxError('The sign-in of this mailbox has changed. It is tried again.')
    if (isUsable(secrets, refused)) return secrets
    const tokens = await services.signIns.renew(provider, secrets)
    await sql`update channels set secrets = ${sealSecrets(services.vault, mailbox, tokens)}
      where company_id = ${company_id} and id = ${id}`.execute(tx)
    return tokens
  })
