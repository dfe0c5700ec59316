import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { channelAbilities, type KindOfChannel } from '../../contract/built-in/channel-kinds.ts'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { say } from '../ui/basics/notices.tsx'
import type { Tone } from '../ui/basics/status.tsx'

export type Channel = Output<typeof contract.listChannels>['items'][number]
export type ChannelDetails = Output<typeof contract.getChannel>
export type Folder = ChannelDetails['folders'][number]

export const channelsQuery = queryOptions({
  queryKey: ['inbox', 'channels'],
  queryFn: async ({ signal }) => (await api.listChannels({}, { signal })).items,
  staleTime: 30_000,
})

/** Its counts are those of the server: without live updates they are asked for. */
const askAgainMs = 5000

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ['inbox', 'channel', id],
    queryFn: ({ signal }) => api.getChannel({ id }, { signal }),
    refetchInterval: askAgainMs,
  })

export function useChannelsChanged() {
  const client = useQueryClient()
  return async (saved?: ChannelDetails) => {
    if (saved) client.setQueryData(channelQuery(saved.id).queryKey, saved)
    await client.invalidateQueries({ queryKey: ['inbox'] })
  }
}

export function useChannelSaved() {
  const changed = useChannelsChanged()
  return async (saved: ChannelDetails) => {
    say('Channel saved')
    await changed(saved)
  }
}

/** What messages of a channel can have. Those of mailboxes have everything. */
export const abilitiesOf = (channel: { kind: KindOfChannel } | undefined) => channelAbilities[channel?.kind ?? 'email']

export type Answer = 'reply' | 'reply_all' | 'forward'

/** How a message of a channel can be answered. A chat has one person on the other side. */
export function answersBy(channel: { kind: KindOfChannel } | undefined): Answer[] {
  const { cc, isAnswerOnly } = abilitiesOf(channel)
  return ['reply', ...(cc ? (['reply_all'] as const) : []), ...(isAnswerOnly ? [] : (['forward'] as const))]
}

/** Its conversations have no subjects. */
export const isChat = (
  { channel_id, subject }: { channel_id: string; subject: string },
  channels: Channel[] | undefined,
) => !subject && !abilitiesOf(channels?.find(({ id }) => id === channel_id)).subject

export const kindNames: Record<KindOfChannel, string> = {
  email: 'Mailbox',
  api: 'API channel',
  telegram: 'Telegram bot',
  sms: 'SMS',
  whatsapp: 'WhatsApp',
  chat: 'Website chat',
}

/** What it is called where people choose one. The address of a chat is the sites that show it. */
export const labelOf = ({ kind, address, name }: Pick<Channel, 'kind' | 'address' | 'name'>) =>
  kind === 'chat' ? name : address || name

/** What recipients see as the sender of what this person writes. */
export function senderOf(channel: Channel, person: string) {
  const { kind, name, address, owner_id, sender_name } = channel
  if (kind !== 'email') return labelOf(channel)
  const shown = owner_id !== null ? person : sender_name === 'person' ? `${person} (${name})` : name
  return `${shown} <${address}>`
}

const states: Record<Channel['state'], { tone: Tone; word: string }> = {
  connecting: { tone: 'quiet', word: 'Connecting' },
  syncing: { tone: 'warn', word: 'Syncing messages' },
  synced: { tone: 'ok', word: 'Up to date' },
  failing: { tone: 'bad', word: 'Not working' },
  sign_in: { tone: 'bad', word: 'Sign in again' },
  paused: { tone: 'quiet', word: 'Paused' },
  disconnected: { tone: 'quiet', word: 'Disconnected' },
}

/** "Up to date" only if every folder has as many messages here as on the server, but for those that were set aside. */
export function stateOf(channel: Channel | ChannelDetails) {
  if (channel.kind === 'chat' && channel.state === 'synced') return { tone: 'ok' as const, word: 'On' }
  if (channel.kind !== 'email' && channel.state === 'synced') return { tone: 'ok' as const, word: 'Working' }
  if (channel.kind !== 'email' && channel.state === 'connecting')
    return { tone: 'quiet' as const, word: 'Waiting for the gateway' }
  if (channel.state === 'synced' && 'folders' in channel && channel.folders.some(isBehind)) return states.syncing
  return states[channel.state]
}

export const isBehind = ({ server_count, our_count, faults }: Folder) =>
  server_count !== null && our_count + faults < server_count

/** Channels that can start a conversation: team channels and the user's own. Shared mailboxes of others are read-only. */
export const canSendBy = ({ owner_id, is_mine, state, kind }: Channel) =>
  (owner_id === null || is_mine) &&
  state !== 'paused' &&
  state !== 'disconnected' &&
  !channelAbilities[kind].isAnswerOnly

export const kindOf = ({ owner_id, is_shared }: Channel) =>
  owner_id === null ? 'Team' : is_shared ? 'Personal, shared' : 'Personal'
