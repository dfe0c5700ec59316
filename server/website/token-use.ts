// Whether a form token was used before. The same content with the same token is the same submission; other content is not.
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { sha256 } from '../platform/secrets.ts'
import type { FormToken } from './visitor-token.ts'

type Content = { values: Record<string, string | string[]>; kith_consent?: string | undefined }

/** One half of the ID is of the token and the other of the content, so that one index finds both. */
export function submissionKey({ id }: FormToken, { values, kith_consent = '' }: Content) {
  const content = JSON.stringify([Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)), kith_consent])
  return uuidOf(half(id) + half(content))
}

const half = (text: string) => sha256(text).toString('hex').slice(0, 16)
const uuidOf = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Null: not yet. */
export async function tokenUse(
  db: Db,
  company_id: string,
  token: FormToken,
  key: string,
): Promise<'same_content' | 'other_content' | null> {
  const [first, last] = ['0', 'f'].map((digit) => uuidOf(half(token.id) + digit.repeat(16)))
  const { rows } = await sql<{ is_same: boolean | null }>`
    select bool_or(token_id = ${key}) as is_same from lead_submissions
    where company_id = ${company_id} and token_id between ${first} and ${last}`.execute(db)
  const isSame = rows[0]?.is_same ?? null
  return isSame === null ? null : isSame ? 'same_content' : 'other_content'
}
