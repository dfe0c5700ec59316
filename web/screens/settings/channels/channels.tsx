import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Mailbox, MessageCircle, MessagesSquare, Plus, Send, Smartphone, Webhook } from 'lucide-react'
import { useState } from 'react'
import type { KindOfChannel } from '../../../../contract/channels.ts'
import { ChannelList } from '../../../channels/channel-list.tsx'
import { type Channel, channelsQuery } from '../../../channels/channels.ts'
import { ConnectApiChannel } from '../../../channels/connect-api-channel.tsx'
import { ConnectMailbox } from '../../../channels/connect-mailbox.tsx'
import { ConnectTelegram, ConnectTwilio, ConnectWhatsApp } from '../../../channels/connect-provider.tsx'
import { FinishSignIn } from '../../../channels/finish-sign-in.tsx'
import { channelPage } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { LabelsSection } from '../../../conversations/labels.tsx'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { CompanyPage } from '../company-area.tsx'
import { CreateChat } from './chat.tsx'
import { InboxSettings } from './inbox-settings.tsx'
import { OptOuts } from './opt-outs.tsx'

export function Channels() {
  const channels = useQuery(channelsQuery)
  const navigate = useNavigate()
  const { may } = useSignedIn()
  const [adding, add] = useState<KindOfChannel>()
  const show = ({ id }: Pick<Channel, 'id'>) => void navigate({ to: channelPage, params: { id } })
  const connect = (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button leftSection={<Plus size={15} />}>Add channel</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Mailbox size={15} />} onClick={() => add('email')}>
          Mailbox
        </Menu.Item>
        <Menu.Item leftSection={<MessagesSquare size={15} />} onClick={() => add('chat')}>
          Website chat
        </Menu.Item>
        <Menu.Item leftSection={<Send size={15} />} onClick={() => add('telegram')}>
          Telegram bot
        </Menu.Item>
        <Menu.Item leftSection={<Smartphone size={15} />} onClick={() => add('sms')}>
          SMS via Twilio
        </Menu.Item>
        <Menu.Item leftSection={<MessageCircle size={15} />} onClick={() => add('whatsapp')}>
          WhatsApp
        </Menu.Item>
        <Menu.Item leftSection={<Webhook size={15} />} onClick={() => add('api')}>
          API channel
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
  const team = { ...channels, data: channels.data?.filter(({ owner_id }) => owner_id === null) }
  return (
    <CompanyPage
      title="Channels"
      lead="Where messages for the team arrive. Everyone in the company can read and answer them in the inbox."
      needs="channels.manage"
      actions={team.data?.length ? connect : undefined}
    >
      <FinishSignIn onDone={show} />
      <LoadedList
        query={team}
        what="channels"
        height={120}
        empty={
          <Message icon={Mailbox} title="No channels yet" action={connect}>
            Connect a mailbox such as support@ or sales@, a chat on your website, Telegram, SMS, WhatsApp, or your own
            app. Personal mailboxes are in your profile.
          </Message>
        }
      >
        {(items) => <ChannelList of={items} label="Channels" to={channelPage} />}
      </LoadedList>
      <LabelsSection />
      <OptOuts />
      {may('company.manage') && <InboxSettings />}
      {adding === 'email' && <ConnectMailbox isPersonal={false} onDone={show} onClose={() => add(undefined)} />}
      {adding === 'telegram' && <ConnectTelegram onDone={show} onClose={() => add(undefined)} />}
      {adding === 'sms' && <ConnectTwilio onDone={show} onClose={() => add(undefined)} />}
      {adding === 'whatsapp' && <ConnectWhatsApp onDone={show} onClose={() => add(undefined)} />}
      {adding === 'api' && <ConnectApiChannel onDone={show} onClose={() => add(undefined)} />}
      {adding === 'chat' && <CreateChat onDone={(id) => show({ id })} onClose={() => add(undefined)} />}
    </CompanyPage>
  )
}
