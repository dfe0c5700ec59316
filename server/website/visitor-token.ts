// Tokens in forms and in links. They are encrypted instead of stored, and each is valid only for its purpose.
import { randomUUIDv7 } from 'node:crypto'
import { randomToken } from '../platform/secrets.ts'
import { sealMark, type Vault } from '../platform/vault.ts'

const seal = (vault: Vault, parts: string[], place: string) =>
  vault.seal(parts.join(' '), place).subarray(sealMark.length).toString('base64url')

function open(vault: Vault, token: string, place: string) {
  try {
    return vault.open(Buffer.concat([sealMark, Buffer.from(token, 'base64url')]), place).split(' ')
  } catch {
    // Not sealed by us: answered as an expired form.
    return undefined
  }
}

/** What was wrong with the token that a submission came with. */
export const tokenFaults = ['missing', 'plain', 'invalid', 'used'] as const
export type TokenFault = (typeof tokenFaults)[number]
/**
 * `key`: signs challenges, and is known only to us. `isConfirmed`: a person has pressed a second button to send. `fault`:
 * of the token that this one replaces, which stays a sign of spam after a solved puzzle.
 */
export type FormToken = {
  id: string
  key: string
  issued: Date
  isConfirmed: boolean
  fault: TokenFault | null
  text: string
}
const formPlace = 'form token'

export function newFormToken(
  vault: Vault,
  source_id: string,
  now: Date,
  given: { isConfirmed?: boolean; fault?: TokenFault | null; id?: string } = {},
): FormToken {
  const { isConfirmed = false, fault = null, id = randomUUIDv7() } = given
  const key = randomToken()
  const parts = [id, source_id, key, String(now.getTime()), isConfirmed ? 'yes' : 'no', fault ?? '']
  return { id, key, issued: now, isConfirmed, fault, text: seal(vault, parts, formPlace) }
}

export function readFormToken(vault: Vault, token: string, source_id: string): FormToken | undefined {
  const [id, source, key, issued, confirmed, kept] = open(vault, token, formPlace) ?? []
  if (!id || !key || source !== source_id) return undefined
  const fault = tokenFaults.find((one) => one === kept) ?? null
  return { id, key, issued: new Date(Number(issued)), isConfirmed: confirmed === 'yes', fault, text: token }
}

const linkPlace = 'confirmation link'

export const confirmationUrl = (vault: Vault, baseUrl: URL, company_id: string, submission_id: string) =>
  `${baseUrl.origin}/public/confirmations/${seal(vault, [company_id, submission_id], linkPlace)}`

export function readConfirmation(vault: Vault, token: string) {
  const [company_id, id] = open(vault, token, linkPlace) ?? []
  return company_id && id ? { company_id, id } : undefined
}
