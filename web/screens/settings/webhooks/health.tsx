import { Ban, CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react'
import { Badge } from '../../../ui/basics/avatar.tsx'
import { StateDot } from '../../../ui/basics/status.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import { type Delivery, type Health, successRate, type Webhook } from '../../../webhooks/webhook.ts'
import css from './health.module.css'

/** How a webhook is doing, and why if it is not fine. */
export const HealthDot = ({ of: health }: { of: Health }) => (
  <>
    <StateDot of={health} />
    {health.about && <span className={css.about}>{health.about}</span>}
  </>
)

/** How many attempts of the last 24 hours succeeded, as a bar and in percent. */
export function SuccessRate({ of: webhook }: { of: Webhook }) {
  const rate = successRate(webhook)
  if (rate === undefined) return <span className={css.none}>No attempts</span>
  const { delivered_24h, failed_24h } = webhook
  return (
    <span className={css.rate} title={`${asNumber(delivered_24h)} delivered, ${asNumber(failed_24h)} failed attempts`}>
      <span className={css.bar} aria-hidden="true">
        <span style={{ width: `${rate}%` }} />
      </span>
      {asNumber(rate)} %
    </span>
  )
}

const icons: Record<Delivery['state'], LucideIcon> = {
  delivered: CircleCheck,
  failed: CircleX,
  waiting: Clock,
  cancelled: Ban,
}

export const stateWords: Record<Delivery['state'], string> = {
  delivered: 'Delivered',
  failed: 'Failed',
  waiting: 'Waiting',
  cancelled: 'Cancelled',
}

export function DeliveryIcon({ of: { state, attempts } }: { of: Pick<Delivery, 'state' | 'attempts'> }) {
  const Icon = icons[state]
  const tone = state === 'waiting' && attempts ? 'retrying' : state
  return <Icon size={16} className={css.icon} data-state={tone} aria-label={stateWords[state]} role="img" />
}

/** What sets a delivery apart from that of a change as it happens. */
export const Marks = ({ of: { test, replay } }: { of: Pick<Delivery, 'test' | 'replay'> }) => (
  <>
    {test && <Badge>Test</Badge>}
    {replay && <Badge>Replay</Badge>}
  </>
)
