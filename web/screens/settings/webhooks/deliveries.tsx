import { Button, Switch, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { History, Search, Send } from 'lucide-react'
import { useState } from 'react'
import { Message, NoMatches } from '../../../ui/basics/states.tsx'
import { useAddressText } from '../../../ui/form/use-address-text.ts'
import { Log, LogRow, LogStates, LogTools } from '../../../ui/page/log.tsx'
import { asFull, asSecond } from '../../../ui/text/moments.ts'
import { type Delivery, deliveriesQuery, type Webhook } from '../../../webhooks/webhook.ts'
import css from './deliveries.module.css'
import { DeliveryDetail } from './delivery-detail.tsx'
import { DeliveryIcon, Marks } from './health.tsx'
import { useWebhookSearch } from './search.ts'

const states = [
  { value: 'all', label: 'All' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'failed', label: 'Failed' },
]

/** The log of a webhook: its deliveries, and beside them everything about one. */
export function Deliveries({ webhook, onTest }: { webhook: Webhook; onTest: () => void }) {
  const { search, change } = useWebhookSearch()
  const [isFollowed, follow] = useState(true)
  const [openedAt] = useState(Date.now)
  const filter = { state: search.state, event_id: search.event }
  const deliveries = useInfiniteQuery(deliveriesQuery(webhook.id, filter, isFollowed))
  const none =
    search.state || search.event ? (
      <NoMatches
        icon={History}
        title="No deliveries match"
        clear="Show all"
        onClear={() => change({ state: null, event: null })}
      >
        Choose another state or check the ID. Deliveries are kept for 30 days.
      </NoMatches>
    ) : (
      <NoDeliveries webhook={webhook} onTest={onTest} />
    )
  return (
    <>
      <LogTools>
        <LogStates of={states} value={search.state} onChange={(state) => change({ state, delivery: null })} />
        <EventSearch value={search.event ?? ''} onChange={(event) => change({ event, delivery: null })} />
        <Switch
          label="Live"
          checked={isFollowed}
          onChange={(event) => follow(event.currentTarget.checked)}
          classNames={{ root: css.live, body: css.liveBody }}
        />
      </LogTools>
      <Log
        query={deliveries}
        one="Delivery"
        many="deliveries"
        filter={JSON.stringify(filter)}
        shown={search.delivery}
        onClose={() => change({ delivery: null })}
        empty={none}
        row={(delivery, isShown) => (
          <DeliveryRow
            key={delivery.id}
            of={delivery}
            isShown={isShown}
            isNew={Date.parse(delivery.created_at) > openedAt}
          />
        )}
        detail={(id) => <DeliveryDetail key={id} webhook={webhook} id={id} />}
      />
    </>
  )
}

/** The webhook-id that a receiver logged leads to what was sent. */
function EventSearch({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { text, type } = useAddressText(value, onChange)
  return (
    <TextInput
      aria-label="Event ID"
      placeholder="Event ID"
      leftSection={<Search size={14} />}
      spellCheck={false}
      autoComplete="off"
      maxLength={100}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      className={css.search}
    />
  )
}

type RowProps = { of: Delivery; isShown: boolean; isNew: boolean }

const DeliveryRow = ({ of: delivery, ...row }: RowProps) => (
  <LogRow search={{ delivery: delivery.id }} {...row} className={css.row}>
    <DeliveryIcon of={delivery} />
    <span className={css.type}>{delivery.type}</span>
    <time dateTime={delivery.created_at} title={asFull(delivery.created_at)}>
      {asSecond(delivery.created_at)}
    </time>
    <span className={css.about}>
      <bdi>{delivery.record_title ?? 'Deleted record'}</bdi>
      <Marks of={delivery} />
    </span>
    <span className={css.result} data-tone={delivery.reason ? 'bad' : undefined}>
      {resultOf(delivery)}
    </span>
  </LogRow>
)

/** "200 · 34 ms", "503 · attempt 2", "no response" */
function resultOf({ attempts, last_status, last_ms, state }: Delivery) {
  if (!attempts) return state === 'waiting' ? 'Not sent yet' : ''
  const answer = last_status === null ? 'No response' : String(last_status)
  return [answer, attempts > 1 ? `attempt ${attempts}` : last_ms !== null && `${last_ms} ms`]
    .filter(Boolean)
    .join(' · ')
}

const NoDeliveries = ({ webhook, onTest }: { webhook: Webhook; onTest: () => void }) => (
  <Message
    icon={History}
    title="No deliveries yet"
    action={
      <Button variant="default" leftSection={<Send size={14} />} onClick={onTest}>
        Send test event
      </Button>
    }
  >
    {webhook.state === 'active'
      ? 'The next matching change appears here as it is sent. To see now whether your receiver answers, send a test event.'
      : 'Resume the webhook to send events again.'}
  </Message>
)
