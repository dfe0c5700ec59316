import { StateDot, StatusLine, StatusNote } from '../ui/basics/status.tsx'
import { Ago } from '../ui/text/ago.tsx'
import { asNearMoment } from '../ui/text/moments.ts'
import { asNumber } from '../ui/text/numbers.ts'
import { PauseButton } from './channel-state.tsx'
import css from './channels.module.css'
import { type ChannelDetails, stateOf } from './channels.ts'

/** When the gateway was last heard of, and what went wrong. */
export function GatewayState({ of: channel }: { of: ChannelDetails }) {
  const { last_received_at, last_delivered_at, last_error, last_error_at, recovered_at } = channel.gateway!
  const when = (at: string | null) => (at ? <Ago at={at} /> : 'Not yet')
  return (
    <>
      {channel.state === 'failing' && (
        <StatusNote tone="bad">
          {channel.state_reason ?? 'The gateway cannot be reached.'} Messages are queued and retried.
        </StatusNote>
      )}
      {channel.state === 'paused' && (
        <StatusNote tone="quiet" action={<PauseButton of={channel} size="compact-sm" />}>
          Paused: nothing is received or sent until you resume it.
        </StatusNote>
      )}
      <StatusLine
        of={[
          ['State', <StateDot key="state" of={stateOf(channel)} />],
          ['Last request received', when(last_received_at)],
          ['Last delivery', when(last_delivered_at)],
          ['Waiting to be sent', asNumber(channel.waiting)],
          ['Last problem', last_error_at ? <Ago key="error" at={last_error_at} /> : 'None'],
        ]}
      />
      {last_error_at && recovered_at && (
        <p className={css.hint}>
          Last problem: {last_error} Working again since {asNearMoment(recovered_at)}.
        </p>
      )}
      {last_error_at && !recovered_at && last_error !== channel.state_reason && (
        <StatusNote tone="warn">Last problem: {last_error}</StatusNote>
      )}
    </>
  )
}
