import { Button } from '@mantine/core'
import { StateDot, StatusLine, StatusNote } from '../../../ui/basics/status.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { asMinute } from '../../../ui/text/moments.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import { healthOf, type Webhook } from '../../../webhooks/webhook.ts'
import css from './health.module.css'
import { SuccessRate } from './health.tsx'

/** How the webhook is doing, in a line; and above it what needs attention. */
export const Summary = ({ of: webhook, onResend }: { of: Webhook; onResend: () => void }) => (
  <>
    <Attention of={webhook} onResend={onResend} />
    <StatusLine
      of={[
        ['State', <StateDot key="state" of={healthOf(webhook)} />],
        ['Success, 24 h', <SuccessRate key="rate" of={webhook} />],
        ['Waiting', asNumber(webhook.waiting)],
        ['Last attempt', <LastAttempt key="last" of={webhook} />],
        ['Owner', <bdi key="owner">{webhook.owner_name ?? 'a former member'}</bdi>],
      ]}
    />
  </>
)

const LastAttempt = ({ of: { last_attempt_at, last_status } }: { of: Webhook }) =>
  last_attempt_at ? (
    <>
      <Ago at={last_attempt_at} />
      <span className={css.none}> · {last_status ?? 'no response'}</span>
    </>
  ) : (
    <span className={css.none}>Never</span>
  )

/** Why nothing arrives, and what to do about it. */
function Attention({ of: webhook, onResend }: { of: Webhook; onResend: () => void }) {
  const { state, disabled_at, disabled_reason, failing_since, retry_at, filter_error } = webhook
  const resend = (
    <Button variant="default" size="xs" onClick={onResend}>
      Resend events
    </Button>
  )
  if (state === 'disabled')
    return (
      <StatusNote tone="bad" action={resend}>
        <strong>Kith disabled this webhook{disabled_at && ` on ${asMinute(disabled_at)}`}.</strong> {disabled_reason}{' '}
        Fix the receiver and resume the webhook, then resend the events it missed.
      </StatusNote>
    )
  if (state === 'paused')
    return (
      <StatusNote tone="quiet" action={resend}>
        <strong>This webhook is paused.</strong> New events are not sent. You can send those it missed later.
      </StatusNote>
    )
  if (filter_error)
    return (
      <StatusNote tone="bad">
        <strong>The filter no longer works, so nothing is sent.</strong> {filter_error} Correct it under Settings.
      </StatusNote>
    )
  if (!failing_since) return null
  return (
    <StatusNote tone="warn">
      <strong>No delivery has succeeded since {asMinute(failing_since)}.</strong> After 5 days, Kith disables the
      webhook.
      {retry_at && ` Events are now sent one at a time; the next at ${asMinute(retry_at)}.`}
    </StatusNote>
  )
}
