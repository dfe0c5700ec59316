import type { ChannelRow } from '../../inbox/channels/channel.ts'
import type { PublicFetch } from '../../platform/public-fetch.ts'
import type { ProviderAccess } from '../gateway/call-provider.ts'
import { openChannel } from '../gateway/find-channel.ts'

export type TwilioSettings = { account_sid: string }
export type TwilioSecrets = { auth_token: string }
export type TwilioAccount = { fetch: PublicFetch; base: string; account_sid: string; auth_token: string }

export const authorization = ({ account_sid, auth_token }: Pick<TwilioAccount, 'account_sid' | 'auth_token'>) => ({
  authorization: `Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`,
})

export function accountOf(
  { vault, fetch, addresses }: Pick<ProviderAccess, 'vault' | 'fetch' | 'addresses'>,
  channel: Pick<ChannelRow, 'company_id' | 'id' | 'secrets' | 'settings'>,
): TwilioAccount | undefined {
  const secrets = openChannel<TwilioSecrets>(vault, channel)
  return secrets && { fetch, base: addresses.twilio, ...(channel.settings as TwilioSettings), ...secrets }
}
