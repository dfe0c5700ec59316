// Channels of the kind chat, as their managers and the pages of websites find them.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { chats } from '../../../contract/chat.ts'
import type { Output } from '../../../contract/operation.ts'
import type { ChannelRow } from '../../inbox/channels/channel.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { escapeHtml } from '../../kernel/html.ts'
import type { Db } from '../../platform/db.ts'
import { randomToken } from '../../platform/secrets.ts'
import type { Vault } from '../../platform/vault.ts'
import { isOpenAt } from '../../platform/working-time.ts'
import { formIdOf, readFormId } from '../../website/public-id.ts'
import { plansOf } from '../../working-hours/queries.ts'

export type Chat = Output<typeof chats.getChat>
export type ChatSettings = Pick<Chat, 'allowed_origins' | 'greeting' | 'accent' | 'language' | 'asks_email' | 'consent'>
export type ChatRow = Omit<ChannelRow, 'settings'> & {
  settings: ChatSettings
  state: string
  created_by: string | null
}

const columns = sql`h.company_id, h.id, h.kind, h.name, h.address, h.owner_id, h.settings, h.secrets, h.state, h.created_by`
const isChat = sql`h.kind = 'chat' and h.deleted_at is null and h.disconnected_at is null`

/** For people who manage channels. */
export async function chatFor(context: Context, id: string): Promise<ChatRow> {
  const { company_id } = actorOf(context)
  const { rows } = await sql<ChatRow>`
    select ${columns} from channels h where h.company_id = ${company_id} and h.id = ${id} and ${isChat}`.execute(
    context.db,
  )
  if (!rows[0]) throw new AppError('not_found', 'Chat not found. It may have been disconnected.')
  return rows[0]
}

/** For pages of websites. Those of sites that are not listed get an error that they cannot read. */
export async function publicChat(context: Context, chat_id: string, baseUrl: URL): Promise<ChatRow> {
  const named = readFormId(chat_id)
  if (!named) throw noChat()
  const { rows } = await sql<ChatRow>`
    select ${columns} from channels h
    where h.company_id = ${named.company_id} and h.id = ${named.source_id} and ${isChat}`.execute(context.db)
  const [row] = rows
  if (!row) throw noChat()
  const origin = context.visit?.origin
  if (!origin || origin === baseUrl.origin) return row
  if (!row.settings.allowed_origins.includes(origin))
    throw new AppError('foreign_origin', 'This site cannot use the chat. Add it to the allowed sites of the chat.')
  context.visit?.allow()
  return row
}

const noChat = () => new AppError('not_found', 'Chat not found. It may have been disconnected.')

/** How recently a member must have used Kith. */
const presentMs = 10 * 60_000

/** Whether someone can answer now: in working hours, while someone uses Kith. Otherwise visitors leave a message. */
export async function isOpen(
  db: Db,
  { company_id, id, state }: Pick<ChatRow, 'company_id' | 'id' | 'state'>,
  now: Date,
) {
  if (state === 'paused') return false
  if (!isOpenAt((await plansOf(db, company_id)).of(id).schedule, now)) return false
  const since = new Date(now.getTime() - presentMs)
  const { rows } = await sql`select 1 from sessions s join users u on u.company_id = ${company_id} and u.id = s.user_id
    where s.company_id = ${company_id} and s.last_seen_at > ${since} and u.deactivated_at is null limit 1`.execute(db)
  return rows.length > 0
}

export async function shown(context: Context, baseUrl: URL, row: ChatRow): Promise<Chat> {
  const chat_id = formIdOf(row.company_id, row.id)
  return {
    id: row.id,
    chat_id,
    name: row.name,
    ...row.settings,
    is_paused: row.state === 'paused',
    is_open: await isOpen(context.db, row, context.now),
    snippet: `<script src="${escapeHtml(baseUrl.origin)}/public/chat/script" data-chat="${chat_id}" async></script>`,
    has_secret: row.secrets !== null,
  }
}

const placeOf = ({ company_id, id }: Pick<ChatRow, 'company_id' | 'id'>) => `chat secret ${company_id} ${id}`

type OldSecret = { secret: string; until: string }

/** A secret alone is a text, as before old ones were kept for some time. */
export const sealSecret = (
  vault: Vault,
  row: Pick<ChatRow, 'company_id' | 'id'>,
  secret: string,
  old?: OldSecret | null,
) => vault.seal(old ? JSON.stringify({ secret, old }) : secret, placeOf(row))

function secretsOf(vault: Vault, row: Pick<ChatRow, 'company_id' | 'id' | 'secrets'>) {
  if (!row.secrets) return null
  const text = vault.open(row.secrets, placeOf(row))
  return text.startsWith('{') ? (JSON.parse(text) as { secret: string; old: OldSecret }) : { secret: text, old: null }
}

/** The secret that is being replaced, with how long it stays valid. */
export function oldSecret(vault: Vault, row: ChatRow, until: Date): OldSecret | null {
  const known = secretsOf(vault, row)
  return known && { secret: known.secret, until: until.toISOString() }
}

/** Secrets without it are older than the names in what is signed, and count for the values alone, too. */
const mark = 'chat_'
export const newSecret = () => `${mark}${randomToken()}`

type Identity = { user_id?: string | undefined; email?: string | undefined }

/** Whether the site that knows the secret says so. */
export function isSigned(vault: Vault, row: ChatRow, identity: Identity, signature: string, now: Date) {
  const known = secretsOf(vault, row)
  if (!known) return false
  const { secret, old } = known
  return (
    isSignedWith(secret, identity, signature) ||
    (old !== null && Date.parse(old.until) > now.getTime() && isSignedWith(old.secret, identity, signature))
  )
}

function isSignedWith(secret: string, { user_id, email }: Identity, signature: string) {
  // With names, an ID that looks like an address is no proof of the address.
  const named = `${user_id ? `id:${user_id}\n` : ''}${email ? `email:${email}\n` : ''}`
  const bare = [user_id, email].filter(Boolean).join('\n')
  const given = Buffer.from(signature, 'hex')
  return [named, ...(secret.startsWith(mark) ? [] : [bare])].some((text) => {
    const wanted = createHmac('sha256', secret).update(text).digest()
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
}
