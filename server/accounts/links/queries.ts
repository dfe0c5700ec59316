import { randomUUIDv7 } from 'node:crypto'
import type { linkKinds } from '../../../contract/account-links.ts'
import { pages } from '../../../contract/pages.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Db } from '../../platform/db.ts'
import { randomToken, sha256 } from '../../platform/secrets.ts'

export type LinkKind = (typeof linkKinds)[number]
export type LinkServices = { baseUrl: URL; mailer: Mailer; openSignup: boolean }
type Owner = { company_id: string; user_id: string }
/** `email`: the address that the link is about to claim, where the user has another one. */
type NewLink = Owner & { kind: LinkKind; created_by: string | null; now: Date; email?: string }

const hour = 60 * 60 * 1000
const validFor: Record<LinkKind, number> = { invitation: 7 * 24 * hour, reset: hour, email: 7 * 24 * hour }
const pageOf = { invitation: pages.join, reset: pages.resetPassword, email: pages.confirmEmail }

const expiryOf = (kind: LinkKind, now: Date) => new Date(now.getTime() + validFor[kind])

/** The token exists nowhere else from then on; only its hash is kept. */
export async function createLink(db: Db, { kind, now, email = undefined, ...about }: NewLink) {
  const token = randomToken()
  const id = randomUUIDv7()
  const expires_at = expiryOf(kind, now)
  await db
    .insertInto('account_links')
    .values({ ...about, token_hash: sha256(token), id, kind, email: email ?? null, created_at: now, expires_at })
    .execute()
  return { id, token, expires_at }
}

/** Behind the #, which browsers never send: no server log and no referrer holds the token. */
export const linkUrl = (baseUrl: URL, kind: LinkKind, token: string) =>
  `${baseUrl.origin}${pageOf[kind]}#token=${token}`

/**
 * Where strangers create companies and the installation sends mail itself, only its mail may hold a link that claims an
 * address: an Admin who saw it, or a company's own mail server, could claim the address of someone else.
 */
export const isProvenByMail = ({ openSignup, mailer }: Omit<LinkServices, 'baseUrl'>) =>
  openSignup && mailer.environment !== null

type Offer = { user_id: string; kind: 'invitation' | 'email'; email: string; send: boolean }

/** A link to pass on by hand; where it is to be mailed and can be, the mail brings a link of its own. */
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
