import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { pages } from '../../../../contract/pages.ts'
import { companySections } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { ChannelSettings } from '../../../inbox/channel-settings.tsx'
import { ChannelActions, ChannelState } from '../../../inbox/channel-state.tsx'
import { channelQuery } from '../../../inbox/channels.ts'
import { isMissing, Loaded } from '../../../ui/loaded.tsx'
import { Missing, PageSkeleton } from '../../../ui/states.tsx'
import { CompanyPage } from '../company-area.tsx'

export function ChannelPage() {
  const { may } = useSignedIn()
  const { id = '' } = useParams({ strict: false })
  if (!may('channels.manage')) return <CompanyPage title="Channel" needs="channels.manage" />
  return <KnownChannel key={id} id={id} />
}

function KnownChannel({ id }: { id: string }) {
  const navigate = useNavigate()
  const channel = useQuery(channelQuery(id))
  return (
    <Loaded
      query={channel}
      waiting={<PageSkeleton />}
      failed={(failure, error) =>
        isMissing(error) ? (
          <Missing what="channel" back={pages.company} />
        ) : (
          <CompanyPage title="Channel">{failure}</CompanyPage>
        )
      }
    >
      {(channel) => (
        <CompanyPage title={channel.name} lead={<bdi>{channel.address}</bdi>} actions={<ChannelActions of={channel} />}>
          <ChannelState of={channel} />
          <ChannelSettings of={channel} onGone={() => void navigate({ to: companySections.channels.to })} />
        </CompanyPage>
      )}
    </Loaded>
  )
}
