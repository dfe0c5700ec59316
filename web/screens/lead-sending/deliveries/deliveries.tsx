import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { History, X } from 'lucide-react'
import { Panel } from '../../../ui/basics/layout.tsx'
import { Message, NoMatches } from '../../../ui/basics/states.tsx'
import { FilterSelect } from '../../../ui/form/filter-select.tsx'
import { Log, LogRow, LogStates, LogTools } from '../../../ui/page/log.tsx'
import { asFull, asSecond } from '../../../ui/text/moments.ts'
import { type Delivery, deliveriesQuery, destinationsQuery, routesQuery, useMoney } from '../shared/queries.ts'
import { useSendingSearch } from '../shared/search.ts'
import css from './deliveries.module.css'
import { DeliveryDetail, StateIcon, wordOf } from './delivery-detail.tsx'
import { LeadTrace } from './lead-trace.tsx'

const states = [
  { value: 'all', label: 'All' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'duplicate', label: 'Duplicate' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'returned', label: 'Returned' },
  { value: 'failed', label: 'Failed' },
  { value: 'unknown', label: 'Unknown' },
]

const followMs = 5000

/** The log of all leads that were sent, and beside it why one went where it went. */
export function Deliveries() {
  const { search, change } = useSendingSearch()
  const filter = { state: search.state, destination_id: search.destination, lead_id: search.lead }
  const deliveries = useInfiniteQuery({ ...deliveriesQuery(filter), refetchInterval: followMs })
  const { lead } = search
  return (
    <>
      <Tools />
      {lead && (
        <Panel as="section" className={css.lead} aria-label="Lead route">
          <LeadTrace lead_id={lead} />
        </Panel>
      )}
      <Log
        query={deliveries}
        one="Delivery"
        many="deliveries"
        filter={JSON.stringify(filter)}
        shown={search.delivery}
        onClose={() => change({ delivery: null })}
        empty={<None />}
        row={(one, isShown) => <DeliveryRow key={one.id} of={one} isShown={isShown} />}
        detail={(id) => <DeliveryDetail key={id} id={id} hasTrace={!lead} />}
      />
    </>
  )
}

function Tools() {
  const { search, change } = useSendingSearch()
  const { data: destinations = [] } = useQuery(destinationsQuery)
  return (
    <LogTools>
      <LogStates of={states} value={search.state} onChange={(state) => change({ state, delivery: null })} />
      <FilterSelect
        aria-label="Destination"
        placeholder="All destinations"
        data={destinations.map(({ id, name }) => ({ value: id, label: name }))}
        value={search.destination}
        onChange={(destination) => change({ destination, delivery: null })}
        className={css.destination ?? ''}
      />
      {search.lead && (
        <Button variant="default" rightSection={<X size={14} />} onClick={() => change({ lead: null, delivery: null })}>
          One lead only
        </Button>
      )}
    </LogTools>
  )
}

function DeliveryRow({ of: one, isShown }: { of: Delivery; isShown: boolean }) {
  const asMoney = useMoney()
  return (
    <LogRow search={{ delivery: one.id }} isShown={isShown} className={css.row}>
      <StateIcon of={one} />
      <span className={css.name}>
        <bdi>{one.lead_title ?? 'Deleted or hidden lead'}</bdi>
      </span>
      <time dateTime={one.created_at} title={asFull(one.created_at)}>
        {asSecond(one.created_at)}
      </time>
      <span className={css.about}>
        <bdi>{one.destination_name}</bdi>
      </span>
      <span className={css.result}>
        {one.state === 'accepted' && !one.returned_at && one.price ? asMoney(one.price) : wordOf(one)}
      </span>
    </LogRow>
  )
}

/** What leads on from an empty log. */
function None() {
  const { search, change, openTab } = useSendingSearch()
  const { data: routes = [] } = useQuery(routesQuery)
  if (search.state || search.destination)
    return (
      <NoMatches
        icon={History}
        title="No deliveries match"
        clear="Show all"
        onClear={() => change({ state: null, destination: null, delivery: null })}
      >
        Choose another state or destination.
      </NoMatches>
    )
  if (search.lead)
    return (
      <Message icon={History} title="This lead was not sent to anyone">
        The lead route above shows which routes were tried and why none sent it.
      </Message>
    )
  const isOn = routes.some(({ state }) => state === 'active')
  return (
    <Message
      icon={History}
      title="No leads sent yet"
      action={
        <Button variant="default" onClick={() => openTab('routes')}>
          {isOn ? 'Show routes' : 'Set up routes'}
        </Button>
      }
    >
      {isOn
        ? 'The next lead that a route sends appears here with its request, response and reason.'
        : 'Once a route is active, every lead it sends appears here with its request, response and reason.'}
    </Message>
  )
}
