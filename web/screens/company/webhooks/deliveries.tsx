import { Button, SegmentedControl, Switch, TextInput } from '@mantine/core'
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History, Search, Send } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { Panel } from '../../../ui/layout.tsx'
import { itemsOf, LoadedList } from '../../../ui/loaded.tsx'
import { asFull, asSecond } from '../../../ui/moments.ts'
import { Message } from '../../../ui/states.tsx'
import css from './deliveries.module.css'
import { DeliveryDetail } from './delivery-detail.tsx'
import { DeliveryIcon, Marks } from './health.tsx'
import { useWebhookSearch } from './search.ts'
import { type Delivery, deliveriesQuery, type Webhook } from './webhook.ts'

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
  const isNarrow = useMediaQuery('(max-width: 61.99em)', false, { getInitialValueInEffect: false })
  const first = useFirst(itemsOf(deliveries), JSON.stringify(filter))
  const shown = search.delivery ?? (isNarrow ? undefined : first)
  const none =
    search.state || search.event ? (
      <NoMatches onClear={() => change({ state: null, event: null })} />
    ) : (
      <NoDeliveries webhook={webhook} onTest={onTest} />
    )
  return (
    <>
      <div className={css.tools}>
        <SegmentedControl
          aria-label="State"
          data={states}
          value={search.state ?? 'all'}
          onChange={(state) => change({ state, delivery: null })}
        />
        <EventSearch value={search.event ?? ''} onChange={(event) => change({ event, delivery: null })} />
        <Switch
          label="Live"
          checked={isFollowed}
          onChange={(event) => follow(event.currentTarget.checked)}
          classNames={{ root: css.live, body: css.liveBody }}
        />
      </div>
      <LoadedList query={deliveries} what="deliveries" height={360} empty={none}>
        {(items) => (
          <div className={css.log}>
            <Panel as="ol" divided className={css.list} aria-label="Deliveries" onKeyDown={moveFocus}>
              {items.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  of={delivery}
                  isShown={delivery.id === shown}
                  isNew={Date.parse(delivery.created_at) > openedAt}
                />
              ))}
            </Panel>
            {shown && !isNarrow && (
              <Panel as="section" className={css.detail} aria-label="Delivery">
                <DeliveryDetail key={shown} webhook={webhook} id={shown} />
              </Panel>
            )}
          </div>
        )}
      </LoadedList>
      {shown && isNarrow && (
        <Dialog title="Delivery" size={720} tall onClose={() => change({ delivery: null })}>
          <DeliveryDetail key={shown} webhook={webhook} id={shown} />
        </Dialog>
      )}
    </>
  )
}

/** The webhook-id that a receiver logged leads to what was sent. */
function EventSearch({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const [text, setText] = useState(value)
  const search = useDebouncedCallback((typed: string) => onChange(typed.trim()), 250)
  useEffect(() => setText(value), [value])
  return (
    <TextInput
      aria-label="Event ID"
      placeholder="Event ID"
      leftSection={<Search size={14} aria-hidden="true" />}
      spellCheck={false}
      autoComplete="off"
      maxLength={100}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        search(event.currentTarget.value)
      }}
      className={css.search}
    />
  )
}

/** The newest one when the list was opened: others that arrive do not take its place. */
function useFirst(items: Delivery[], filter: string) {
  const [first, setFirst] = useState<{ id: string; filter: string }>()
  const newest = items[0]?.id
  const isKnown = first && first.filter === filter && items.some(({ id }) => id === first.id)
  if (newest && !isKnown) setFirst({ id: newest, filter })
  return isKnown ? first.id : newest
}

/** With the arrow keys from one delivery to the next. */
function moveFocus(event: KeyboardEvent<HTMLOListElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const links = [...event.currentTarget.querySelectorAll('a')]
  const next = links[links.indexOf(event.target as HTMLAnchorElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

type RowProps = { of: Delivery; isShown: boolean /** It came while one looked. */; isNew: boolean }

const DeliveryRow = ({ of: delivery, isShown, isNew }: RowProps) => (
  <li data-new={isNew || undefined}>
    <Link
      to="."
      search={((before: object) => ({ ...before, delivery: delivery.id })) as never}
      replace
      resetScroll={false}
      className={css.row}
      aria-current={isShown ? 'true' : undefined}
    >
      <DeliveryIcon of={delivery} />
      <span className={css.type}>{delivery.type}</span>
      <time className={css.when} dateTime={delivery.created_at} title={asFull(delivery.created_at)}>
        {asSecond(delivery.created_at)}
      </time>
      <span className={css.about}>
        <bdi>{delivery.record_title ?? 'Deleted record'}</bdi>
        <Marks of={delivery} />
      </span>
      <span className={css.result} data-tone={delivery.reason ? 'bad' : undefined}>
        {resultOf(delivery)}
      </span>
    </Link>
  </li>
)

/** "200 · 34 ms", "503 · attempt 2", "no response" */
function resultOf({ attempts, last_status, last_ms, state }: Delivery) {
  if (!attempts) return state === 'waiting' ? 'Not sent yet' : ''
  const answer = last_status === null ? 'No response' : String(last_status)
  return [answer, attempts > 1 ? `attempt ${attempts}` : last_ms !== null && `${last_ms} ms`]
    .filter(Boolean)
    .join(' · ')
}

const NoMatches = ({ onClear }: { onClear: () => void }) => (
  <Message
    icon={History}
    title="No deliveries match"
    action={
      <Button variant="default" onClick={onClear}>
        Show all
      </Button>
    }
  >
    Choose another state or check the ID. Deliveries are kept for 30 days.
  </Message>
)

const NoDeliveries = ({ webhook, onTest }: { webhook: Webhook; onTest: () => void }) => (
  <Message
    icon={History}
    title="No deliveries yet"
    action={
      <Button variant="default" leftSection={<Send size={14} aria-hidden="true" />} onClick={onTest}>
        Send test event
      </Button>
    }
  >
    {webhook.state === 'active'
      ? 'The next matching change appears here as it is sent. To see now whether your receiver answers, send a test event.'
      : 'Resume the webhook to send events again.'}
  </Message>
)
