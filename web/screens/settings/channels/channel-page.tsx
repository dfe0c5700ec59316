import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { pages } from '../../../../contract/shared/pages.ts'
import { ChannelRules } from '../../../channels/channel-rules.tsx'
import { ChannelSettings, DisconnectChannel } from '../../../channels/channel-settings.tsx'
import { ChannelActions, ChannelState } from '../../../channels/channel-state.tsx'
import { type ChannelDetails, channelQuery, kindNames } from '../../../channels/channels.ts'
import { GatewayState } from '../../../channels/gateway-state.tsx'
import { companySections } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { LoadedPage } from '../../../ui/basics/loaded.tsx'
import { CompanyPage } from '../company-area.tsx'
import { ChatSettings } from './chat.tsx'

const route = getRouteApi('/frame/company-area/company/channels/$id')

export function ChannelPage() {
  const { may } = useSignedIn()
  const { id } = route.useParams()
  if (!may('channels.manage')) return <CompanyPage title="Channel" needs="channels.manage" />
  return <KnownChannel key={id} id={id} />
}

function KnownChannel({ id }: { id: string }) {
  const navigate = useNavigate()
  const channel = useQuery(channelQuery(id))
  return (
    <LoadedPage query={channel} what="channel" back={pages.company}>
      {(channel) => {
        const gone = () => void navigate({ to: companySections.channels.to })
        return channel.kind === 'chat' ? (
          <CompanyPage title={channel.name} lead={<Lead of={channel} />}>
            {channel.state === 'disconnected' ? (
              <ChannelSettings of={channel} onGone={gone} />
            ) : (
              <>
                <ChatSettings id={channel.id} />
                <ChannelRules of={channel} />
                <DisconnectChannel of={channel} onGone={gone} />
              </>
            )}
          </CompanyPage>
        ) : (
          <CompanyPage
            title={channel.name}
            lead={<Lead of={channel} />}
            actions={channel.gateway ? undefined : <ChannelActions of={channel} />}
          >
            {channel.gateway ? <GatewayState of={channel} /> : <ChannelState of={channel} />}
            <ChannelSettings of={channel} onGone={gone} />
          </CompanyPage>
        )
      }}
    </LoadedPage>
  )
}

/** What kind of channel it is, unless its address says so, and where it is reached. */
const Lead = ({ of: { kind, address } }: { of: ChannelDetails }) => (
  <>
    {(kind !== 'email' || !address) && kindNames[kind]}
    {kind !== 'email' && address && (kind === 'chat' ? ' on ' : ' · ')}
    <bdi>{address}</bdi>
  </>
)
