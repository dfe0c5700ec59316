// Proof of work for suspicious submissions. A challenge belongs to one form token, which can be used once.
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1'
import type { FormToken } from './visitor-token.ts'

/** A phone needs about a second. */
const maxnumber = 60_000
const validMs = 20 * 60_000

export async function challengeFor({ id, key }: FormToken, now: Date) {
  const expires = new Date(now.getTime() + validMs)
  return { ...(await createChallenge({ hmacKey: key, maxnumber, expires, params: { token: id } })), maxnumber }
}

export async function isSolved({ id, key }: FormToken, solution: string, now: Date) {
  try {
    const { token, expires } = extractParams(solution) as { token?: string; expires?: string }
    if (token !== id || Number(expires) * 1000 < now.getTime()) return false
    return await verifySolution(solution, key, false)
  } catch {
    // Browsers can send anything in place of a solution.
    return false
  }
}
