import {
  Lock,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessagesSquare,
  Send,
  Smartphone,
  Users,
  Webhook,
} from 'lucide-react'
import type { channelPage, myMailboxPage } from '../client/areas.ts'
import { Badge } from '../ui/basics/avatar.tsx'
import { RowLink, RowOf, Rows } from '../ui/page/rows.tsx'
import { ChannelDot } from './channel-dot.tsx'
import { type Channel, kindNames } from './channels.ts'

type Props = { of: Channel[]; label: string; to: typeof channelPage | typeof myMailboxPage }

const icons: Partial<Record<Channel['kind'], LucideIcon>> = {
  chat: MessagesSquare,
  telegram: Send,
  sms: Smartphone,
  whatsapp: MessageCircle,
  api: Webhook,
}

const iconOf = ({ kind, owner_id, is_shared }: Channel) =>
  icons[kind] ?? (owner_id === null ? Users : is_shared ? Mail : Lock)

export const ChannelList = ({ of: channels, label, to }: Props) => (
  <Rows label={label}>
    {channels.map((channel) => (
      <RowOf
        key={channel.id}
        icon={iconOf(channel)}
        title={
          <>
            <RowLink to={to} params={{ id: channel.id }}>
              {channel.name}
            </RowLink>
            {channel.owner_id !== null && channel.is_shared && <Badge>Shared</Badge>}
          </>
        }
        note={
          <>
            {channel.kind === 'chat' && channel.address && 'Website chat on '}
            <bdi>{channel.address || kindNames[channel.kind]}</bdi>
            {channel.state_reason && channel.state !== 'synced' && <> · {channel.state_reason}</>}
          </>
        }
      >
        <ChannelDot of={channel} />
      </RowOf>
    ))}
  </Rows>
)
