import { Button, UnstyledButton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { attemptDelays } from '../../../../contract/webhooks.ts'
import { api } from '../../../client/api.ts'
import { Panel } from '../../../ui/basics/layout.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { LogExchange, LogHead, LogReason } from '../../../ui/page/log.tsx'
import { CodeBlock, CopyCode } from '../../../ui/text/code.tsx'
import { headerLines, readable } from '../../../ui/text/http.ts'
import { asMinute, asSecond } from '../../../ui/text/moments.ts'
import { asSize } from '../../../ui/text/numbers.ts'
import {
  type Attempt,
  type DeliveryDetails,
  deliveryQuery,
  useWebhooksChanged,
  type Webhook,
} from '../../../webhooks/webhook.ts'
import css from './deliveries.module.css'
import { DeliveryIcon, Marks, stateWords } from './health.tsx'
import { useWebhookSearch } from './search.ts'

type Props = { webhook: Webhook; id: string }

/** What was sent for an event, what came back, and what happens next. */
export function DeliveryDetail({ webhook, id }: Props) {
  const delivery = useQuery(deliveryQuery(webhook.id, id))
  return (
    <Loaded query={delivery} what="the delivery" height={320}>
      {(delivery) => (
        <>
          <LogHead>
            <DeliveryIcon of={delivery} />
            <h3 className={css.name}>{delivery.type}</h3>
            <Marks of={delivery} />
            <Resend of={delivery} />
          </LogHead>
          {delivery.reason && <LogReason tone="bad">{delivery.reason}</LogReason>}
          <div className={css.facts}>
            <DeliveryFacts of={delivery} webhook={webhook} />
          </div>
          <Attempts of={delivery} />
          <div className={css.body}>
            <CodeBlock
              code={readable(delivery.body)}
              copies={delivery.body}
              what="request body"
              caption={`Request body, ${sizeOf(delivery.body)}. Copied exactly as sent`}
            />
          </div>
        </>
      )}
    </Loaded>
  )
}

const DeliveryFacts = ({ of: delivery, webhook }: { of: DeliveryDetails; webhook: Webhook }) => (
  <Facts
    of={[
      ['State', stateInWords(delivery)],
      ['Next attempt', nextAttempt(delivery, webhook)],
      [
        'Record',
        delivery.record_title ? (
          <Link key="record" to="/records/$object/$id" params={{ object: delivery.object, id: delivery.record_id }}>
            <bdi>{delivery.record_title}</bdi>
          </Link>
        ) : (
          'Deleted'
        ),
      ],
      ['Event ID', <CopyCode key="event" value={delivery.event_id} what="event ID" whole />],
      ['Sent to', delivery.target_url],
      ['Created', asMinute(delivery.created_at)],
    ]}
  />
)

function stateInWords({ state, attempts }: DeliveryDetails) {
  if (state === 'waiting' && !attempts) return 'Waiting for its first attempt'
  if (state === 'waiting') return `Attempt ${attempts} of ${attemptDelays.length} failed, will be retried`
  if (state === 'failed') return `Gave up after ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}`
  return stateWords[state]
}

/** While the receiver fails, deliveries wait for the one that is tried; while the webhook is off, all of them. */
function nextAttempt({ next_attempt_at }: DeliveryDetails, { state, retry_at }: Webhook) {
  if (!next_attempt_at) return null
  if (state !== 'active') return 'When the webhook is resumed'
  return asSecond(retry_at && retry_at > next_attempt_at ? retry_at : next_attempt_at)
}

function Resend({ of: { webhook_id, id } }: { of: DeliveryDetails }) {
  const changed = useWebhooksChanged()
  const { change } = useWebhookSearch()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.retryWebhookDelivery({ id: webhook_id, delivery_id: id }),
    onSuccess: async (again) => {
      say('The event is sent again')
      change({ state: null, delivery: again.id })
      await changed()
    },
    onError: (error) => complain('The event was not sent again', error),
  })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<RotateCw size={13} />}
      loading={isPending}
      onClick={() => mutate()}
    >
      Resend
    </Button>
  )
}

/** Newest first; the newest is open. */
function Attempts({ of: { log, reason } }: { of: DeliveryDetails }) {
  const [open, setOpen] = useState<number>()
  const shown = open ?? log.at(-1)?.number
  if (!log.length) return null
  return (
    <Panel as="ol" divided className={css.attempts} aria-label="Attempts">
      {log.toReversed().map((attempt) => (
        <AttemptRow
          key={attempt.number}
          of={attempt}
          // Why the last one failed stands above already.
          reason={attempt.reason === reason ? null : attempt.reason}
          isOpen={attempt.number === shown}
          onToggle={() => setOpen(attempt.number === shown ? 0 : attempt.number)}
        />
      ))}
    </Panel>
  )
}

type AttemptProps = { of: Attempt; reason: string | null; isOpen: boolean; onToggle: () => void }

const AttemptRow = ({ of: attempt, reason, isOpen, onToggle }: AttemptProps) => (
  <li>
    <UnstyledButton className={css.attempt} aria-expanded={isOpen} onClick={onToggle}>
      <DeliveryIcon of={{ state: attempt.is_success ? 'delivered' : 'failed', attempts: 1 }} />
      <span className={css.number}>
        Attempt {attempt.number}
        {' · '}
        {attempt.status ?? 'No response'}
      </span>
      <span className={css.timing}>
        {asSecond(attempt.at)} · {attempt.ms} ms
      </span>
      <ChevronDown size={14} />
    </UnstyledButton>
    {isOpen && <Exchange of={attempt} reason={reason} />}
  </li>
)

const Exchange = ({ of: attempt, reason }: { of: Attempt; reason: string | null }) => (
  <LogExchange>
    {reason && <p className={css.quiet}>{reason}</p>}
    {attempt.status === null ? null : (
      <CodeBlock
        code={[headerLines(attempt.response_headers), readable(attempt.response_body)].filter(Boolean).join('\n\n')}
        what="response"
        caption={`Response, ${attempt.status}`}
      />
    )}
    <CodeBlock code={headerLines(attempt.request_headers)} what="request headers" caption="Request headers" />
  </LogExchange>
)

const sizeOf = (text: string) => asSize(new TextEncoder().encode(text).length)
