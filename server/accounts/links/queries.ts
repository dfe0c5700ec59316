import { randomUUIDv7 } from 'node:crypto'
import type { linkKinds } from '../../../contract/account-links.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Db } from '../../platform/db.ts'
import { randomToken, sha256 } from '../../platform/secrets.ts'
import { dayMs, hourMs } from '../../platform/times.ts'

export type LinkKind = (typeof linkKinds)[number]
export type LinkServices = { baseUrl: URL; mailer: Mailer; openSignup: boolean }
type Owner = { company_id: string; user_id: string }
/** `email`: the new address that the link confirms, if it differs from the user's current one. */
type NewLink = Owner & { kind: LinkKind; created_by: string | null; now: Date; email?: string }

const validFor: Record<LinkKind, number> = { invitation: 7 * dayMs, reset: hourMs, email: 7 * dayMs }
const pageOf = { invitation: pages.join, reset: pages.resetPassword, email: pages.confirmEmail }

const expiryOf = (kind: LinkKind, now: Date) => new Date(now.getTime() + validFor[kind])

/** Returns the token, which is not stored: the database keeps only its hash. */
export async function createLink(db: Db, { kind, now, email, ...owner }: NewLink) {
  const token = randomToken()
  const id = randomUUIDv7()
  const expires_at = expiryOf(kind, now)
  await db
    .insertInto('account_links')
    .values({ ...owner, token_hash: sha256(token), id, kind, email: email ?? null, created_at: now, expires_at })
    .execute()
  return { id, token, expires_at }
}

/** The token follows the #, which browsers never send, so it appears in no server log and no referrer. */
export const linkUrl = (baseUrl: URL, kind: LinkKind, token: string) =>
  `${baseUrl.origin}${pageOf[kind]}#token=${token}`

/**
 * With open sign-up and mail sent by the installation, a link that claims an address is sent only by its mail server.
 * An Admin who saw the link, or a company's own mail server, could claim an address that belongs to someone else.
 */
export const isProvenByMail = ({ openSignup, mailer }: Omit<LinkServices, 'baseUrl'>) =>
  openSignup && mailer.environment !== null

type Offer = { user_id: string; kind: 'invitation' | 'email'; email: string; send: boolean }

/** Returns a link to share by hand. If it is also sent by email, that email contains a separate link. */
export async function offerLink(services: LinkServices, context: Context, { user_id, kind, email, send }: Offer) {
  const { company_id, user_id: created_by } = actorOf(context)
  const { db, now } = context
  const byMailOnly = isProvenByMail(services)
  const isMailed = byMailOnly || (send && (await services.mailer.canSend(db, company_id)))
  const sent_to = isMailed ? email : null
  if (byMailOnly) return { link: null, expires_at: expiryOf(kind, now).toISOString(), sent_to }
  const claimed = kind === 'email' ? { email } : {}
  const made = await createLink(db, { company_id, user_id, kind, created_by, now, ...claimed })
  return { link: linkUrl(services.baseUrl, kind, made.token), expires_at: made.expires_at.toISOString(), sent_to }
}

export const endLinksOf = (db: Db, { company_id, user_id }: Owner) =>
  db.deleteFrom('account_links').where('company_id', '=', company_id).where('user_id', '=', user_id).execute()

export const pruneAccountLinks = (db: Db, now: Date) =>
  db.deleteFrom('account_links').where('expires_at', '<', now).execute()
