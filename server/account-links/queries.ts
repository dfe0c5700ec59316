import { randomUUIDv7 } from 'node:crypto'
import type { linkKinds } from '../../contract/account-links.ts'
import { pages } from '../../contract/pages.ts'
import type { Db } from '../kernel/db.ts'
import { randomToken, sha256 } from '../kernel/secrets.ts'

export type LinkKind = (typeof linkKinds)[number]
type NewLink = { company_id: string; user_id: string; kind: LinkKind; created_by: string | null; now: Date }

const hour = 60 * 60 * 1000
const validFor: Record<LinkKind, number> = { invitation: 7 * 24 * hour, reset: hour }

/** The token exists nowhere else from then on; only its hash is kept. */
export async function createLink(db: Db, { company_id, user_id, kind, created_by, now }: NewLink) {
  const token = randomToken()
  const id = randomUUIDv7()
  const expires_at = new Date(now.getTime() + validFor[kind])
  await db
    .insertInto('account_links')
    .values({ token_hash: sha256(token), id, company_id, user_id, kind, created_by, created_at: now, expires_at })
    .execute()
  return { id, token, expires_at }
}

/** Behind the #, which browsers never send: no server log and no referrer holds the token. */
export const linkUrl = (baseUrl: URL, kind: LinkKind, token: string) =>
  `${baseUrl.origin}${kind === 'invitation' ? pages.join : pages.resetPassword}#token=${token}`

export const endLinksOf = (db: Db, { company_id, user_id }: { company_id: string; user_id: string }) =>
  db.deleteFrom('account_links').where('company_id', '=', company_id).where('user_id', '=', user_id).execute()

export const pruneAccountLinks = (db: Db, now: Date) =>
  db.deleteFrom('account_links').where('expires_at', '<', now).execute()
