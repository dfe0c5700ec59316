import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { network } from '../../platform/network.ts'
import { sha256 } from '../../platform/secrets.ts'
import { deviceOf } from './devices.ts'

export { network }

const windowMs = 15 * 60 * 1000
/**
 * Failures per window: for one account from one address, for one address, and for one account from all addresses.
 * A browser that signed in before has a separate allowance, so that an attacker cannot lock the owner out.
 */
const limits = { account: 5, address: 30, everywhere: 20 }

type Account = Pick<Actor, 'company_id' | 'user_id'>

/** Counts an attempt, or refuses it after too many. Returns a function that removes it if the password is correct. */
export async function countOrRefuse(context: Context, email: string, user: Account | undefined) {
  const { db, ip, now } = context
  return undoOf(await countAttempt(db, { email, ip, now, device: await deviceOf(context, email) }), user)
}

/** The same for the code of a second step. `steps.ts` counts those across addresses. */
export const countCodeOrRefuse = async ({ db, ip, now }: Context, email: string, user: Account) =>
  undoOf(await countAttempt(db, { email, ip, now }), user)

function undoOf(attempt: Awaited<ReturnType<typeof countAttempt>>, user: Account | undefined) {
  if (!attempt.refusal) return attempt.undo
  const { retryAfter, isFirst } = attempt.refusal
  throw tooMany(retryAfter, isFirst && user ? { audit: { ...about(user), action: 'session.throttled' } } : {})
}

/** The account that a refusal concerns, for the audit log. */
export const about = ({ company_id, user_id }: Account) => ({ company_id, actor_id: user_id, data: {} })

type Attempt = {
  email: string
  ip: string
  now: Date
  /** The visitor's browser, or null if it is unknown. Omitted where only addresses are counted. */
  device?: Buffer | null
}

/**
 * Counts an attempt before the password is checked, so that concurrent guesses cannot exceed the limit together.
 * Returns a function that removes it if the password is correct.
 */
export async function countAttempt(db: Db, { email, ip, now, device }: Attempt) {
  const attempt = { id: randomUUIDv7(), email_hash: sha256(email), ip: network(ip), at: now, device: device ?? null }
  await db.insertInto('sign_in_failures').values(attempt).execute()
  const undo = (on = db) => on.deleteFrom('sign_in_failures').where('id', '=', attempt.id).execute()
  for (const [rows, limit] of countsOf(attempt, await recentLike(db, attempt), device !== undefined)) {
    if (rows.length <= limit) continue
    await undo() // Refused attempts do not count, otherwise waiting would never help.
    const retryAfter = Math.ceil((rows[limit - 1]!.at.getTime() + windowMs - now.getTime()) / 1000)
    return { refusal: { retryAfter, isFirst: rows.length === limit + 1 } }
  }
  return { undo }
}

type Failure = { email_hash: Buffer; ip: string; at: Date; device: Buffer | null }

const recentLike = (db: Db, { email_hash, ip, at }: Failure): Promise<Failure[]> =>
  db
    .selectFrom('sign_in_failures')
    .select(['email_hash', 'ip', 'at', 'device'])
    .where((eb) => eb.or([eb('ip', '=', ip), eb('email_hash', '=', email_hash)]))
    .where('at', '>', new Date(at.getTime() - windowMs))
    .orderBy('at', 'desc')
    .execute()

function countsOf({ email_hash, ip, device }: Failure, recent: Failure[], isAccount: boolean): [Failure[], number][] {
  const ofAccount = recent.filter((row) => row.email_hash.equals(email_hash))
  if (device) return [[ofAccount.filter((row) => row.device?.equals(device)), limits.account]]
  const isUnknownDevice = (row: Failure) => !row.device
  const isSameAddress = (row: Failure) => row.ip === ip && isUnknownDevice(row)
  return [
    [ofAccount.filter(isSameAddress), limits.account],
    [recent.filter(isSameAddress), limits.address],
    [isAccount ? ofAccount.filter(isUnknownDevice) : [], limits.everywhere],
  ]
}

export function tooMany(retryAfter: number, more: AppError['more'] = {}) {
  const minutes = Math.max(1, Math.ceil(retryAfter / 60))
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return new AppError('too_many_requests', `Too many attempts. Try again in ${wait}.`, { ...more, retryAfter })
}

/** Called once someone has proven who they are. Without `ip`, forgets the failures from all addresses. */
export function forgetFailures(db: Db, email: string | null, ip?: string) {
  const failures = db.deleteFrom('sign_in_failures').where('email_hash', '=', sha256(email ?? ''))
  return (ip === undefined ? failures : failures.where('ip', '=', network(ip))).execute()
}

export const pruneSignInFailures = (db: Db, now: Date) =>
  db
    .deleteFrom('sign_in_failures')
    .where('at', '<', new Date(now.getTime() - windowMs))
    .execute()
