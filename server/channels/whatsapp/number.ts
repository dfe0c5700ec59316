import { sql } from 'kysely'
import type { ChannelRow } from '../../inbox/channels/channel.ts'
import type { Db } from '../../platform/db.ts'
import type { PublicFetch } from '../../platform/public-fetch.ts'
import type { ProviderAccess } from '../gateway/call-provider.ts'
import { channelPaused, type GatewayChannel, openChannel } from '../gateway/find-channel.ts'

export type WhatsAppSettings = { phone_number_id: string; business_account_id: string; verify_token: string }
export type WhatsAppSecrets = { access_token: string; app_secret: string }
export type WhatsAppNumber = { fetch: PublicFetch; base: string } & WhatsAppSettings & WhatsAppSecrets

export function numberOf(
  { vault, fetch, addresses }: Pick<ProviderAccess, 'vault' | 'fetch' | 'addresses'>,
  channel: Pick<ChannelRow, 'company_id' | 'id' | 'secrets' | 'settings'>,
): WhatsAppNumber | undefined {
  const secrets = openChannel<WhatsAppSecrets>(vault, channel)
  return secrets && { fetch, base: addresses.whatsapp, ...(channel.settings as WhatsAppSettings), ...secrets }
}

/** An app of Meta has one address for all of its numbers, so a post can be about other channels of the company. */
export async function channelsOfNumbers(db: Db, company_id: string, phone_number_ids: string[]) {
  if (!phone_number_ids.length) return []
  const { rows } = await sql<GatewayChannel>`
    select company_id, id, kind, name, address, owner_id, settings, secrets, state, is_polled, is_shared from channels
    where company_id = ${company_id} and kind = 'whatsapp' and settings ->> 'phone_number_id' = any(${phone_number_ids})
      and disconnected_at is null and deleted_at is null order by id`.execute(db)
  if (rows.some(({ state }) => state === 'paused')) throw channelPaused()
  return rows
}
