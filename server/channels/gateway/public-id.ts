// The address of a channel names its company, so that no table of all companies is needed to find it.
import { formIdOf, readFormId } from '../../website/public-id.ts'

export const publicIdOf = formIdOf

export function readPublicId(id: string) {
  const known = readFormId(id)
  return known && { company_id: known.company_id, channel_id: known.source_id }
}

export const addressOf = (baseUrl: URL, company_id: string, channel_id: string, path: string) =>
  new URL(`/public/channels/${publicIdOf(company_id, channel_id)}/${path}`, baseUrl).href
