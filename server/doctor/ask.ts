// Questions over HTTP, to loopback and to BASE_URL only.
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

/** Where a Kith with this configuration listens, as this machine itself reaches it. */
export function loopbackOf({ host, port }: Pick<Config, 'host' | 'port'>) {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** The code of a problem of ours, if that is what came. */
export function codeIn({ text }: Answer): string | undefined {
  try {
    return (JSON.parse(text) as { code?: string }).code
  } catch {
    return
  }
}

/**
 * Kith hands a challenge to whoever wants to sign in, and keeps it. If we find it in our database, it was this Kith
 * that answered. Nothing secret is sent, so that a stranger who answers instead learns nothing.
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
    return null
  }
}
