// Channels that a gateway serves, as it names them.
import { sql } from 'kysely'
import type { ChannelRow } from '../../inbox/channels/channel.ts'
import { AppError } from '../../kernel/app-error.ts'
import { outsideCalls } from '../../kernel/calls.ts'
import type { Context } from '../../kernel/context.ts'
import { gather } from '../../kernel/gather.ts'
import type { Db } from '../../platform/db.ts'
import type { Vault } from '../../platform/vault.ts'
import { readPublicId } from './public-id.ts'

export type GatewayChannel = ChannelRow & { state: string; is_polled: boolean; is_shared: boolean }

type Lookup = { db: Db; publicId: string }

/** Many posts at once ask once. */
const findTogether = gather((asked: Lookup[]) =>
  outsideCalls(async () => {
    const ids = [...new Set(asked.map(({ publicId }) => publicId))]
    const found = new Map<string, GatewayChannel | undefined>()
    for (const id of ids) found.set(id, await find(asked[0]!.db, id))
    return asked.map(({ publicId }) => found.get(publicId))
  }),
)

async function find(db: Db, publicId: string) {
  const place = readPublicId(publicId)
  if (!place) return undefined
  const { rows } = await sql<GatewayChannel>`
    select company_id, id, kind, name, address, owner_id, settings, secrets, state, is_polled, is_shared from channels
    where company_id = ${place.company_id} and id = ${place.channel_id} and disconnected_at is null and deleted_at is null`.execute(
    db,
  )
  return rows[0]
}

/** By the ID in its address. Refuses those that take no messages right now. */
export async function channelAt({ db }: Pick<Context, 'db'>, kind: string, publicId: string): Promise<GatewayChannel> {
  const channel = await findTogether({ db, publicId })
  if (channel?.kind !== kind)
    throw new AppError('not_found', 'Channel not found. Copy its address from the channel page.')
  if (channel.state === 'paused') throw channelPaused()
  return channel
}

export const channelPaused = () =>
  new AppError('unavailable', 'This channel is paused. Try again later.', { retryAfter: 60 })

type ChannelRef = Pick<ChannelRow, 'company_id' | 'id'>
const placeOf = ({ company_id, id }: ChannelRef) => `channels.secrets ${company_id} ${id}`

export const sealChannel = (vault: Vault, channel: ChannelRef, secrets: object) =>
  vault.seal(JSON.stringify(secrets), placeOf(channel))

/** Undefined if they were forgotten, see FORGET_SECRETS. */
export const openChannel = <Secrets>(vault: Vault, channel: ChannelRef & { secrets: Buffer | null }) =>
  channel.secrets ? (JSON.parse(vault.open(channel.secrets, placeOf(channel))) as Secrets) : undefined
