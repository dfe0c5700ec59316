import { Button } from '@mantine/core'
import { CirclePause, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Ago } from '../../../ui/ago.tsx'
import { Panel } from '../../../ui/layout.tsx'
import { asMinute } from '../../../ui/moments.ts'
import { asNumber } from '../../../ui/numbers.ts'
import { HealthDot, SuccessRate } from './health.tsx'
import { healthOf, type Webhook } from './webhook.ts'
import css from './webhook-page.module.css'

/** How the webhook is doing, in a line; and above it what needs attention. */
export const Summary = ({ of: webhook, onResend }: { of: Webhook; onResend: () => void }) => (
  <>
    <Attention of={webhook} onResend={onResend} />
    <Panel as="dl" className={css.summary}>
      <Fact name="State">
        <HealthDot of={healthOf(webhook)} isBare />
      </Fact>
      <Fact name="Success, 24 h">
        <SuccessRate of={webhook} />
      </Fact>
      <Fact name="Waiting">{asNumber(webhook.waiting)}</Fact>
      <Fact name="Last attempt">
        {webhook.last_attempt_at ? (
          <>
            <Ago at={webhook.last_attempt_at} />
            <span className={css.dim}> · {webhook.last_status ?? 'no response'}</span>
          </>
        ) : (
          <span className={css.dim}>Never</span>
        )}
      </Fact>
      <Fact name="Owner">
        <bdi>{webhook.owner_name ?? 'a former member'}</bdi>
      </Fact>
    </Panel>
  </>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
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
      <Note tone="bad" action={resend}>
        <strong>Kith disabled this webhook{disabled_at && ` on ${asMinute(disabled_at)}`}.</strong> {disabled_reason}{' '}
        Fix the receiver and resume the webhook, then send the events that it missed.
      </Note>
    )
  if (state === 'paused')
    return (
      <Note tone="quiet" action={resend}>
        <strong>This webhook is paused.</strong> New events are not sent. You can send those it missed later.
      </Note>
    )
  if (filter_error)
    return (
      <Note tone="bad">
        <strong>The filter no longer works, so nothing is sent.</strong> {filter_error} Correct it under Settings.
      </Note>
    )
  if (!failing_since) return null
  return (
    <Note tone="warn">
      <strong>No delivery has succeeded since {asMinute(failing_since)}.</strong> After 5 days, Kith disables the
      webhook.
      {retry_at && ` To spare the receiver, one event at a time is tried; the next at ${asMinute(retry_at)}.`}
    </Note>
  )
}

type NoteProps = { tone: 'bad' | 'warn' | 'quiet'; action?: ReactNode; children: ReactNode }

const Note = ({ tone, action, children }: NoteProps) => (
  <div className={css.note} data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
    {tone === 'quiet' ? <CirclePause size={16} aria-hidden="true" /> : <TriangleAlert size={16} aria-hidden="true" />}
    <p>{children}</p>
    {action}
  </div>
)
