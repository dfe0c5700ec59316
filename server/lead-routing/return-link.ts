// The link with which a partner returns a lead. It is encrypted instead of stored, and valid for this purpose only.
import { dayMs } from '../platform/times.ts'
import { sealMark, type Vault } from '../platform/vault.ts'
import type { DestinationRow } from './destination.ts'

const place = 'return link'

/** Empty if the destination may not return leads. */
export function returnLink(
  { vault, baseUrl }: { vault: Vault; baseUrl: URL },
  { company_id, returns }: Pick<DestinationRow, 'company_id' | 'returns'>,
  delivery_id: string,
  now: Date,
) {
  if (!returns.days) return ''
  const parts = [company_id, delivery_id, String(now.getTime() + returns.days * dayMs)]
  const token = vault.seal(parts.join(' '), place).subarray(sealMark.length).toString('base64url')
  return `${baseUrl.origin}/public/returns/${token}`
}

/** Undefined if the link is not ours or has expired. */
export function readReturnLink(vault: Vault, token: string, now: Date) {
  try {
    const text = vault.open(Buffer.concat([sealMark, Buffer.from(token, 'base64url')]), place)
    const [company_id, id, until] = text.split(' ')
    return company_id && id && Number(until) > now.getTime() ? { company_id, id } : undefined
  } catch {
    // Not sealed by us: a wrong link.
    return undefined
  }
}
