// Adds mailboxes and wakes the process that holds them.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { renewSubscriptions } from '../../engine/subscriptions/save.ts'
import { onlyReaderOf } from '../../inbox/access/announce.ts'
import { lockChannels } from '../../inbox/channels/add.ts'
import { senderNameOf } from '../../inbox/channels/channel.ts'
import { findChannel, type VisibleChannel, visibleChannels } from '../../inbox/channels/find.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context, may } from '../../kernel/context.ts'
import { type MailboxSecrets, type MailboxServices, type MailboxSettings, sealSecrets } from './mailbox.ts'

export function refuseTeam(context: Context, isPersonal: boolean) {
  if (isPersonal || may(actorOf(context), 'channels.manage')) return
  throw new AppError(
    'forbidden',
    'You need permission to manage channels to connect a mailbox for the team. You can connect one for yourself.',
  )
}

type NewMailbox = {
  name: string
  address: string
  is_personal: boolean
  signature?: string
  unknown_senders?: VisibleChannel['unknown_senders']
  settings: MailboxSettings
  secrets: MailboxSecrets
}

export async function addMailbox(
  context: Context,
  { vault }: MailboxServices,
  mailbox: NewMailbox,
): Promise<VisibleChannel> {
  const { company_id, user_id } = actorOf(context)
  const { name, address, is_personal, signature = '', unknown_senders = 'nothing', settings, secrets } = mailbox
  await refuseDouble(context, address, settings)
  const before = await disconnectedWith(context, address, is_personal)
  if (before) {
    const kept = { ...settings, sender_name: senderNameOf(before) }
    await connectAgain(context, before, { name, settings: kept, secrets: sealSecrets(vault, before, secrets) })
    return findChannel(context, before.id)
  }
  const id = randomUUIDv7()
  await sql`insert into channels (company_id, id, kind, name, address, owner_id, settings, secrets, signature,
      unknown_senders, created_at, created_by, wanted_at)
    values (${company_id}, ${id}, 'email', ${name}, ${address}, ${is_personal ? user_id : null},
      ${JSON.stringify({ ...settings, sender_name: 'person' })}::jsonb, ${sealSecrets(vault, { company_id, id }, secrets)}, ${signature},
      ${unknown_senders}, ${context.now}, ${user_id}, ${context.now})`.execute(context.db)
  // From now on, writes of people look for their messages.
  await renewSubscriptions(context.db, company_id)
  context.emit('channel.changed', { channel_id: id, user_id: is_personal ? user_id : null })
  context.audit('channel.connected', { target_id: id, data: { address, is_personal } })
  return findChannel(context, id)
}

/** Not one whose messages are being deleted. */
export const canConnectAgain = ({ disconnected_at, settings }: VisibleChannel) =>
  disconnected_at !== null && 'imap' in (settings as object)

/** Existing conversations continue. */
async function disconnectedWith(context: Context, address: string, isPersonal: boolean) {
  const owner_id = isPersonal ? actorOf(context).user_id : null
  const isIt = (row: VisibleChannel) => row.address === address && row.owner_id === owner_id && canConnectAgain(row)
  return (await visibleChannels(context)).find(isIt)
}

/**
 * That an address is connected privately is said only to someone who has signed in to that mailbox: anyone can enter any
 * address together with a mailbox of their own. Providers vouch for the address.
 */
export async function refuseDouble(
  context: Context,
  address: string,
  { imap, username, provider }: Pick<MailboxSettings, 'imap' | 'username' | 'provider'>,
) {
  const { company_id, user_id } = actorOf(context)
  await lockChannels(context)
  const { rows } = await sql<{ name: string; owner_id: string | null; owner_name: string | null }>`
    select c.name, c.owner_id, u.name as owner_name from channels c
    left join users u on u.company_id = ${company_id} and u.id = c.owner_id
    where c.company_id = ${company_id} and c.disconnected_at is null and c.deleted_at is null and c.address = ${address}
      and (c.owner_id is null or c.is_shared or c.owner_id = ${user_id} or ${provider !== null}::boolean
        or c.settings #>> '{imap,host}' = ${imap.host} and c.settings ->> 'username' = ${username}) limit 1`.execute(
    context.db,
  )
  const [same] = rows
  if (!same) return
  const { name, owner_id, owner_name } = same
  const whose = !owner_id
    ? `as the team mailbox “${name}”`
    : owner_id === user_id
      ? `as your mailbox “${name}”`
      : `by ${owner_name ?? 'another user'}`
  throw new AppError('conflict', `${address} is already connected ${whose}. A mailbox can only be connected once.`)
}

type Again = { name?: string; settings?: MailboxSettings; secrets: Buffer }

export async function connectAgain(context: Context, row: VisibleChannel, { name, settings, secrets }: Again) {
  await sql`update channels set name = ${name ?? row.name}, settings = ${JSON.stringify(settings ?? row.settings)}::jsonb,
      secrets = ${secrets}, state = 'connecting', state_reason = null, state_at = ${context.now}, disconnected_at = null,
      purge_at = null
    where company_id = ${row.company_id} and id = ${row.id}`.execute(context.db)
  await requestSync(context, row)
  context.audit('channel.connected', { target_id: row.id, data: { address: row.address, is_again: true } })
}

/** The process that holds it starts again. */
export async function requestSync(context: Context, { company_id, id, owner_id, is_shared }: VisibleChannel) {
  await sql`update channels set wanted_at = ${context.now} where company_id = ${company_id} and id = ${id}`.execute(
    context.db,
  )
  context.emit('channel.changed', { channel_id: id, user_id: onlyReaderOf({ owner_id, is_shared }) })
}
