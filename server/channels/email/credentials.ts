// What signs in to a mailbox: its password, or an access token, which is renewed when it expires.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
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
    ? new MailboxError('This mailbox is no longer signed in. Sign in again.', 'sign_in')
    : new MailboxError('The password of this mailbox is missing. Enter it again.', 'settings')
}

const isUsable = ({ access_token, expires_at }: Tokens, refused?: string) =>
  access_token !== refused && new Date(expires_at).getTime() - renewAheadMs > Date.now()

/** Longer than a provider may take to answer. */
const renewSeconds = 30
const waitMs = 100

/**
 * One process at a time: providers that change the refresh token would refuse the second one. The others look for its
 * result. No one holds a connection or a lock while the provider is asked.
 */
async function renewed(db: Db, services: MailboxServices, mailbox: Mailbox, refused?: string): Promise<Tokens> {
  for (;;) {
    const secrets = await readSecrets(db, services, mailbox)
    const { provider } = mailbox
    if ('password' in secrets || !provider)
      throw new MailboxError('The sign-in method for this mailbox has changed. Retrying.')
    if (isUsable(secrets, refused)) return secrets
    const claimed = await claimRenewal(db, mailbox)
    if (claimed) {
      const tokens = await renewClaimed(db, services, mailbox, claimed, refused).finally(() =>
        release(db, mailbox, claimed),
      )
      if (tokens) return tokens
    } else await sleep(waitMs)
  }
}

type Claim = { sealed: Buffer; until: string }

async function claimRenewal(db: Db, { company_id, id }: Mailbox): Promise<Claim | undefined> {
  const { rows } = await sql<Claim>`
    update channels set renewing_until = now() + make_interval(secs => ${renewSeconds})
    where company_id = ${company_id} and id = ${id} and secrets is not null
      and (renewing_until is null or renewing_until < now())
    returning secrets as sealed, renewing_until::text as until`.execute(db)
  return rows[0]
}

const release = (db: Db, { company_id, id }: Mailbox, { until }: Claim) =>
  sql`update channels set renewing_until = null
    where company_id = ${company_id} and id = ${id} and renewing_until = ${until}::timestamptz`.execute(db)

/** Undefined: someone else has changed the sign-in meanwhile. */
async function renewClaimed(
  db: Db,
  { vault, signIns }: MailboxServices,
  mailbox: Mailbox,
  { sealed }: Claim,
  refused?: string,
): Promise<Tokens | undefined> {
  const { company_id, id, provider } = mailbox
  const secrets = openSecrets(vault, mailbox, sealed)
  if ('password' in secrets || isUsable(secrets, refused)) return undefined
  const tokens = await signIns.renew(provider!, secrets)
  const { numAffectedRows } = await sql`update channels set secrets = ${sealSecrets(vault, mailbox, tokens)}
    where company_id = ${company_id} and id = ${id} and secrets = ${sealed}`.execute(db)
  return numAffectedRows ? tokens : undefined
}
