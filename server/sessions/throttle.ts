import { randomUUIDv7 } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { AppError } from '../kernel/app-error.ts'
import type { Actor, Context } from '../kernel/context.ts'
import type { Db } from '../kernel/db.ts'
import { sha256 } from '../kernel/secrets.ts'

const windowMs = 15 * 60 * 1000
/** Failures in the window. Counted per address, so that nobody can lock somebody else out from afar. */
const limits = { account: 5, address: 30 }

type Account = Pick<Actor, 'company_id' | 'user_id'>

/** Counts an attempt, or refuses it after too many. Returns how to take it back when it was right. */
export async function countOrRefuse({ db, ip, now }: Context, email: string, user: Account | undefined) {
  const attempt = await countAttempt(db, { email, ip, now })
  if (!attempt.refusal) return attempt.undo
  const { retryAfter, isFirst } = attempt.refusal
  throw tooMany(retryAfter, isFirst && user ? { audit: { ...about(user), action: 'session.throttled' } } : {})
}

/** For the audit of a refusal: whose account it was. */
export const about = ({ company_id, user_id }: Account) => ({ company_id, actor_id: user_id, data: {} })

/**
 * Counts an attempt before the password is looked at, so that guesses sent at once do not slip through together.
 * Returns how to take it back when the password was right.
 */
export async function countAttempt(db: Db, { email, ip, now }: { email: string; ip: string; now: Date }) {
  const attempt = { id: randomUUIDv7(), email_hash: sha256(email), ip: network(ip), at: now }
  await db.insertInto('sign_in_failures').values(attempt).execute()
  const recent = await db
    .selectFrom('sign_in_failures')
    .select(['email_hash', 'at'])
    .where('ip', '=', attempt.ip)
    .where('at', '>', new Date(now.getTime() - windowMs))
    .orderBy('at', 'desc')
    .limit(limits.address + 1)
    .execute()
  const sameAccount = recent.filter((row) => row.email_hash.equals(attempt.email_hash))
  const took = (on = db) => on.deleteFrom('sign_in_failures').where('id', '=', attempt.id).execute()
  for (const [rows, limit] of [
    [sameAccount, limits.account],
    [recent, limits.address],
  ] as const) {
    if (rows.length <= limit) continue
    await took() // Refused attempts do not count, else waiting would never help.
    const retryAfter = Math.ceil((rows[limit - 1]!.at.getTime() + windowMs - now.getTime()) / 1000)
    return { refusal: { retryAfter, isFirst: rows.length === limit + 1 } }
  }
  return { undo: took }
}

export function tooMany(retryAfter: number, more: AppError['more'] = {}) {
  const minutes = Math.max(1, Math.ceil(retryAfter / 60))
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return new AppError('too_many_requests', `Too many attempts. Wait ${wait}, then try again.`, { ...more, retryAfter })
}

/** A household or office shares its IPv6 /64, so that is what counts as one address. */
export const network = (ip: string) => (isIPv6(ip) && !ip.startsWith('::ffff:') ? expand(ip).slice(0, 4).join(':') : ip)

function expand(ip: string) {
  const [head = '', tail] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  if (tail === undefined) return left
  const right = tail.split(':').filter(Boolean)
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}

/** Whoever is in has shown who they are: what failed before counts no longer, from here or (by a link) from anywhere. */
export function forgetFailures(db: Db, email: string | null, ip?: string) {
  const failures = db.deleteFrom('sign_in_failures').where('email_hash', '=', sha256(email ?? ''))
  return (ip === undefined ? failures : failures.where('ip', '=', network(ip))).execute()
}

export const pruneSignInFailures = (db: Db, now: Date) =>
  db
    .deleteFrom('sign_in_failures')
    .where('at', '<', new Date(now.getTime() - windowMs))
    .execute()
