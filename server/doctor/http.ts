// HTTP requests of the doctor, which go only to this machine and to BASE_URL.
import { routeOf } from '../../contract/operation.ts'
import { passkeys } from '../../contract/passkeys.ts'
import { takeChallenge } from '../accounts/passkeys/queries.ts'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'

const answerMs = 4000
export type Answer = { status: number; text: string; location: string | null }

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(answerMs) })
  return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') }
}

/** The address at which this machine reaches a Kith with this configuration. */
export function loopbackOf({ host, port }: Pick<Config, 'host' | 'port'>) {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** The error code, if the response is one of Kith's error responses. */
export function codeIn({ text }: Answer): string | undefined {
  try {
    return (JSON.parse(text) as { code?: string }).code
  } catch {
    // Not an answer of Kith.
    return
  }
}

/**
 * Requests a sign-in challenge, which Kith stores. If it is in our database, this Kith has answered.
 * The request contains no secret, so another server that answers instead learns nothing.
 */
export async function isThisKith(origin: string, db: Db): Promise<{ isThis: boolean; answer: Answer }> {
  const { method, path } = routeOf(passkeys.startPasskeySignIn)
  const headers = { 'content-type': 'application/json' }
  const answer = await ask(`${origin}/app/api${path}`, { method, headers, body: '{}' })
  return { isThis: await takeChallenge(db, challengeIn(answer), null, new Date()), answer }
}

function challengeIn({ text }: Answer) {
  try {
    const { options } = JSON.parse(text) as { options?: { challenge?: unknown } }
    return typeof options?.challenge === 'string' ? options.challenge : null
  } catch {
    // Not an answer of Kith.
    return null
  }
}
