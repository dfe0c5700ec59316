import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Mailbox, MessagesSquare, Plus } from 'lucide-react'
import { useState } from 'react'
import { channelPage } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { ChannelList } from '../../../inbox/channel-list.tsx'
import { channelsQuery } from '../../../inbox/channels.ts'
import { ConnectMailbox } from '../../../inbox/connect-mailbox.tsx'
import { FinishSignIn } from '../../../inbox/finish-sign-in.tsx'
import { LabelsSection } from '../../../inbox/labels.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Message } from '../../../ui/states.tsx'
import { CompanyPage } from '../company-area.tsx'
import { CreateChat } from './chat.tsx'
import { InboxSettings } from './inbox-settings.tsx'

export function Channels() {
  const channels = useQuery(channelsQuery)
  const navigate = useNavigate()
  const { may } = useSignedIn()
  const [isConnecting, setConnecting] = useState(false)
  const [isAddingChat, addChat] = useState(false)
  const show = (id: string) => void navigate({ to: channelPage, params: { id } })
  const connect = (
    <Group gap="xs">
      <Button leftSection={<Plus size={15} aria-hidden="true" />} onClick={() => setConnecting(true)}>
        Connect a mailbox
      </Button>
      <Button
        variant="default"
        leftSection={<MessagesSquare size={15} aria-hidden="true" />}
        onClick={() => addChat(true)}
      >
        Add website chat
      </Button>
    </Group>
  )
  const team = { ...channels, data: channels.data?.filter(({ owner_id }) => owner_id === null) }
  return (
    <CompanyPage
      title="Channels"
      lead="The mailboxes and website chats of the team. Everyone in the company reads and answers their messages in the inbox."
      needs="channels.manage"
      actions={team.data?.length ? connect : undefined}
    >
      <FinishSignIn onDone={({ id }) => void navigate({ to: channelPage, params: { id } })} />
      <LoadedList
        query={team}
        what="channels"
        height={120}
        empty={
          <Message icon={Mailbox} title="No channels yet" action={connect}>
            Connect a mailbox such as support@ or sales@ by IMAP and SMTP, or add a chat to your website. Personal
            mailboxes are in your profile.
          </Message>
        }
      >
        {(items) => <ChannelList of={items} label="Channels" to={channelPage} />}
      </LoadedList>
      <LabelsSection />
      {may('company.manage') && <InboxSettings />}
      {isAddingChat && <CreateChat onDone={show} onClose={() => addChat(false)} />}
      {isConnecting && (
        <ConnectMailbox
          isPersonal={false}
          onDone={({ id }) => void navigate({ to: channelPage, params: { id } })}
          onClose={() => setConnecting(false)}
        />
      )}
    </CompanyPage>
  )
}
