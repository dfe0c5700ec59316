// Adds a channel of a provider, after its credentials were tried.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { KindOfChannel } from '../../../contract/channels.ts'
import { renewSubscriptions } from '../../engine/subscriptions/save.ts'
import { lockChannels } from '../../inbox/channels/add.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { OutboundError } from '../../platform/public-fetch.ts'
import type { Vault } from '../../platform/vault.ts'
import { sealChannel } from './find-channel.ts'

type New = {
  id?: string
  kind: KindOfChannel
  name: string
  address: string
  settings: object
  secrets: object
  unknown_senders: string
}

export async function addChannel(context: Context, vault: Vault, channel: New) {
  const { company_id, user_id } = actorOf(context)
  const { id = randomUUIDv7(), kind, name, address, settings, secrets, unknown_senders } = channel
  await lockChannels(context)
  const { rows } = await sql<{ name: string }>`select name from channels where company_id = ${company_id}
    and address <> '' and address = ${address} and disconnected_at is null and deleted_at is null`.execute(context.db)
  if (rows[0]) throw new AppError('conflict', `${address} is already connected as the channel “${rows[0].name}”.`)
  await sql`insert into channels (company_id, id, kind, name, address, settings, secrets, unknown_senders, agents,
      hourly_limit, state, created_at, created_by)
    values (${company_id}, ${id}, ${kind}, ${name}, ${address}, ${JSON.stringify(settings)}::jsonb,
      ${sealChannel(vault, { company_id, id }, secrets)}, ${unknown_senders}, 'draft', 1000, 'connecting', ${context.now},
      ${user_id})`.execute(context.db)
  // From now on, writes of people look for their messages.
  await renewSubscriptions(context.db, company_id)
  context.emit('channel.changed', { channel_id: id, user_id: null })
  context.audit('channel.connected', { target_id: id, data: { kind, address } })
  return id
}

/** What a provider said when its credentials were tried. */
export async function tried<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw refused(path, error.message)
  }
}
