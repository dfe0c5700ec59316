// The link with which a program uploads one file for a record. It is encrypted instead of stored, and valid for this purpose
// only.
import { hourMs } from '../../platform/times.ts'
import { sealMark, type Vault } from '../../platform/vault.ts'

const place = 'upload link'
export const linkMs = hourMs

export type Upload = {
  company_id: string
  user_id: string
  api_key_id: string | null
  object: string
  id: string
  field: string
  /** By which it works once. */
  link_id: string
  name: string
}

export function uploadLink({ vault, baseUrl }: { vault: Vault; baseUrl: URL }, upload: Upload, now: Date) {
  const until = new Date(now.getTime() + linkMs)
  const sealed = vault.seal(JSON.stringify({ ...upload, until: until.getTime() }), place)
  const token = sealed.subarray(sealMark.length).toString('base64url')
  return { url: `${baseUrl.origin}/public/uploads/${token}`, expires_at: until.toISOString() }
}

/** Undefined if the link is not ours or has expired. */
export function readUploadLink(vault: Vault, token: string, now: Date): Upload | undefined {
  try {
    const sealed = Buffer.concat([sealMark, Buffer.from(token, 'base64url')])
    const { until, ...upload } = JSON.parse(vault.open(sealed, place)) as Upload & { until: number }
    return until > now.getTime() ? upload : undefined
  } catch {
    // Not sealed by us: a wrong link.
    return undefined
  }
}
