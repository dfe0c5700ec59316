// The channel that a gateway posts to, before the body of the post is read: strangers cannot make Kith keep large bodies.
import type { contract } from '../../contract/index.ts'
import type { Signed } from '../kernel/context.ts'
import type { Db } from '../platform/db.ts'
import type { Vault } from '../platform/vault.ts'
import { channelAt, openChannel } from './gateway/find-channel.ts'
import { noting } from './gateway/health.ts'
import type { TelegramSecrets } from './telegram/bot.ts'
import { verify as verifyTelegram } from './telegram/signature.ts'

const kinds: Partial<Record<keyof typeof contract, string>> = {
  postToChannel: 'api',
  fetchOutgoing: 'api',
  takeTelegramUpdate: 'telegram',
  takeTwilioMessage: 'sms',
  takeWhatsAppMessage: 'whatsapp',
  proveWhatsAppAddress: 'whatsapp',
}

/** The others sign the body, so that their signatures can only be verified by the operation. */
export const findPostedChannel =
  (db: Db, vault: Vault, clock: () => Date) =>
  async (operation: string, publicId: string, headers: Signed['headers']) => {
    const channel = await channelAt({ db }, kinds[operation as keyof typeof contract] ?? '', publicId)
    if (operation === 'takeTelegramUpdate')
      await noting({ db, now: clock() }, channel, async () =>
        verifyTelegram(openChannel<TelegramSecrets>(vault, channel)?.webhook_secret, headers),
      )
    return channel
  }
