import { useQuery } from '@tanstack/react-query'
import { StateDot } from '../ui/basics/status.tsx'
import { type Channel, type ChannelDetails, stateOf } from './channels.ts'
import { hoursQuery } from './hours.ts'

/** How a channel is doing. A chat is offline outside its working hours. */
export function ChannelDot({ of: channel }: { of: Channel | ChannelDetails }) {
  const isChat = channel.kind === 'chat' && channel.state === 'synced'
  const { data: hours } = useQuery({ ...hoursQuery, enabled: isChat })
  const isClosed = isChat && hours?.channels.some(({ channel_id, is_open }) => channel_id === channel.id && !is_open)
  return <StateDot of={isClosed ? { tone: 'quiet', word: 'Closed now' } : stateOf(channel)} />
}
