import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { LockKeyhole, Plus } from 'lucide-react'
import { useState } from 'react'
import { pages } from '../../../../contract/shared/pages.ts'
import { ChannelList } from '../../../channels/channel-list.tsx'
import { ChannelSettings } from '../../../channels/channel-settings.tsx'
import { ChannelActions, ChannelState } from '../../../channels/channel-state.tsx'
import { channelQuery, channelsQuery } from '../../../channels/channels.ts'
import { ConnectMailbox } from '../../../channels/connect-mailbox.tsx'
import { FinishSignIn } from '../../../channels/finish-sign-in.tsx'
import { mailboxes, myMailboxPage } from '../../../client/areas.ts'
import { LoadedList, LoadedPage } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { ProfilePage } from '../profile-page.tsx'
import css from './mailboxes.module.css'

const route = getRouteApi('/frame/profile/mailboxes/$id')

export function Mailboxes() {
  const channels = useQuery(channelsQuery)
  const navigate = useNavigate()
  const [isConnecting, setConnecting] = useState(false)
  const mine = { ...channels, data: channels.data?.filter(({ owner_id, is_mine }) => owner_id !== null && is_mine) }
  const connect = (
    <Button leftSection={<Plus size={15} />} onClick={() => setConnecting(true)}>
      Connect a mailbox
    </Button>
  )
  return (
    <ProfilePage
      title="Mailboxes"
      lead="Your personal mailboxes. Until you share one, only you can read it; Admins cannot."
      {...(mine.data?.length && { actions: connect })}
    >
      <div className={css.content}>
        <FinishSignIn onDone={({ id }) => void navigate({ to: myMailboxPage, params: { id } })} />
        <LoadedList
          query={mine}
          what="mailboxes"
          height={120}
          empty={
            <Message icon={LockKeyhole} title="No personal mailbox" action={connect}>
              Read and answer your own email in the inbox, next to the related records.
            </Message>
          }
        >
          {(items) => <ChannelList of={items} label="Mailboxes" to={myMailboxPage} />}
        </LoadedList>
      </div>
      {isConnecting && (
        <ConnectMailbox
          isPersonal
          onDone={({ id }) => void navigate({ to: myMailboxPage, params: { id } })}
          onClose={() => setConnecting(false)}
        />
      )}
    </ProfilePage>
  )
}

export function MyMailbox() {
  const { id } = route.useParams()
  const navigate = useNavigate()
  const channel = useQuery(channelQuery(id))
  return (
    <LoadedPage query={channel} what="mailbox" back={pages.profile}>
      {(channel) => (
        <ProfilePage title={channel.name} lead={<bdi>{channel.address}</bdi>} actions={<ChannelActions of={channel} />}>
          <div className={css.content}>
            <ChannelState of={channel} />
          </div>
          <ChannelSettings of={channel} onGone={() => void navigate({ to: mailboxes })} />
        </ProfilePage>
      )}
    </LoadedPage>
  )
}
