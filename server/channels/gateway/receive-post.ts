// What a provider posts to its public address.
import type { Files } from '../../files/queries.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import type { Log } from '../../platform/log.ts'
import type { Offload } from '../../platform/offload.ts'
import { OutboundError } from '../../platform/public-fetch.ts'
import type { Vault } from '../../platform/vault.ts'
import type { ProviderAccess } from './call-provider.ts'
import { channelAt, type GatewayChannel } from './find-channel.ts'
import { noting } from './health.ts'
import type { Item } from './items.ts'
import { createPostStore } from './store-posts.ts'

type StoreItems = (context: Context, channel: GatewayChannel, read: () => Promise<Item[]>) => Promise<unknown>

/** What the operations of all providers need. */
export type ProviderServices = {
  vault: Vault
  baseUrl: URL
  offload: Offload
  log: Log
  provider: Pick<ProviderAccess, 'vault' | 'fetch' | 'addresses'>
  storeItems: StoreItems
}

const nothing = Buffer.alloc(0)

/** One for all providers, so that the posts of a company take one connection. */
export function createItemStore(services: { files: Files; offload: Offload; log: Log }): StoreItems {
  const take = createPostStore(services)
  return async (context, channel, read) => {
    const items = await orPostAgain(read)
    const post = { id: null, digest: nothing, items }
    return items.length ? take({ db: context.db, channel, post, now: context.now }) : undefined
  }
}

export async function receivePost(
  context: Context,
  kind: string,
  publicId: string,
  work: (channel: GatewayChannel) => Promise<unknown>,
) {
  const channel = await channelAt(context, kind, publicId)
  await noting(context, channel, () => work(channel))
  return {}
}

/** Providers post again what was not taken. */
export async function orPostAgain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new AppError('unavailable', error.message, { retryAfter: 10 })
  }
}
