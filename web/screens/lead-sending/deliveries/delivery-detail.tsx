import { Button, UnstyledButton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, CircleCheck, CircleHelp, CircleX, Clock, type LucideIcon, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { Panel } from '../../../ui/basics/layout.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { LogExchange, LogHead, LogReason } from '../../../ui/page/log.tsx'
import { CopyCode } from '../../../ui/text/code.tsx'
import { asMinute, asSecond } from '../../../ui/text/moments.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import { Exchange } from '../destinations/destination-test.tsx'
import { RecordReturn } from '../returns/record-return.tsx'
import {
  type Delivery,
  type DeliveryDetails,
  deliveryQuery,
  traceQuery,
  useChanged,
  useLeads,
  useMoney,
} from '../shared/queries.ts'
import css from './deliveries.module.css'
import { TraceLines } from './lead-trace.tsx'

const looks: Record<Delivery['state'], { icon: LucideIcon; word: string; tone: string }> = {
  accepted: { icon: CircleCheck, word: 'Accepted', tone: 'ok' },
  rejected: { icon: CircleX, word: 'Rejected', tone: 'bad' },
  duplicate: { icon: CircleX, word: 'Duplicate', tone: 'bad' },
  failed: { icon: CircleX, word: 'Failed', tone: 'bad' },
  unknown: { icon: CircleHelp, word: 'Unknown', tone: 'warn' },
  waiting: { icon: Clock, word: 'Waiting', tone: 'warn' },
  sending: { icon: Clock, word: 'Sending', tone: 'warn' },
}

type Standing = Pick<Delivery, 'state' | 'returned_at'>

export const wordOf = ({ state, returned_at }: Standing) => (returned_at ? 'Returned' : looks[state].word)

export function StateIcon({ of: one }: { of: Standing }) {
  const { icon, tone } = looks[one.state]
  const Icon = one.returned_at ? Undo2 : icon
  return (
    <Icon
      size={16}
      className={css.icon}
      data-tone={one.returned_at ? 'bad' : tone}
      aria-label={wordOf(one)}
      role="img"
    />
  )
}

/** What became of one delivery: why the lead went there, every request and every answer. */
export function DeliveryDetail({ id, hasTrace }: { id: string; hasTrace: boolean }) {
  const delivery = useQuery(deliveryQuery(id))
  const [isReturned, giveBack] = useState(false)
  return (
    <Loaded query={delivery} what="the delivery" height={320}>
      {(one) => (
        <>
          <LogHead>
            <StateIcon of={one} />
            <h3>
              {wordOf(one)}
              {one.state === 'accepted' || one.state === 'rejected' ? ' by ' : ': '}
              <bdi>{one.destination_name}</bdi>
            </h3>
            {one.state === 'accepted' && !one.returned_at && (
              <Button variant="default" size="xs" leftSection={<Undo2 size={13} />} onClick={() => giveBack(true)}>
                Record return
              </Button>
            )}
          </LogHead>
          {one.reason && one.state !== 'accepted' && (
            <LogReason tone={looks[one.state].tone === 'warn' ? 'warn' : 'bad'}>{one.reason}</LogReason>
          )}
          {one.state === 'unknown' && <Settle id={id} />}
          <div className={css.facts}>
            <DeliveryFacts of={one} />
          </div>
          {hasTrace && one.lead_title !== null && <Trace lead_id={one.lead_id} />}
          <Attempts of={one} />
          {isReturned && <RecordReturn of={one} onClose={() => giveBack(false)} />}
        </>
      )}
    </Loaded>
  )
}

function DeliveryFacts({ of: one }: { of: DeliveryDetails }) {
  const leads = useLeads()?.key ?? 'leads'
  const asMoney = useMoney()
  return (
    <Facts
      of={[
        [
          'Lead',
          one.lead_title === null ? (
            'Deleted or hidden from you'
          ) : (
            <Link key="lead" to="/records/$object/$id" params={{ object: leads, id: one.lead_id }}>
              <bdi>{one.lead_title}</bdi>
            </Link>
          ),
        ],
        ['Route', one.route_name ?? 'Sent manually'],
        ['Source', one.source || null],
        ['Price', one.price ? asMoney(one.price) : null],
        ['Response time', one.answer_ms === null ? null : `${asNumber(one.answer_ms)} ms`],
        ['Returned', one.returned_at && asMinute(one.returned_at)],
        ['Delivery ID', <CopyCode key="id" value={one.id} what="delivery ID" whole />],
        ['Return link', one.return_link && <CopyCode key="link" value={one.return_link} what="return link" />],
      ]}
    />
  )
}

function Trace({ lead_id }: { lead_id: string }) {
  const trace = useQuery(traceQuery(lead_id))
  return (
    <section className={css.part} aria-label="Why it went there">
      <h4>Why it went there</h4>
      <Loaded query={trace} what="trace" small>
        {(routing) => <TraceLines of={routing} />}
      </Loaded>
    </section>
  )
}

/** Newest first; the newest is open. */
function Attempts({ of: { log } }: { of: DeliveryDetails }) {
  const [open, setOpen] = useState<number>()
  const shown = open ?? log.length
  if (!log.length) return null
  return (
    <section className={css.part} aria-label="Requests and responses">
      <h4>Requests and responses</h4>
      <Panel as="ol" divided className={css.attempts} aria-label="Attempts">
        {log
          .map((attempt, i) => ({ ...attempt, number: i + 1 }))
          .toReversed()
          .map(({ number, ...attempt }) => (
            <li key={number}>
              <UnstyledButton
                className={css.attempt}
                aria-expanded={number === shown}
                onClick={() => setOpen(number === shown ? 0 : number)}
              >
                <span className={css.number}>
                  Attempt {number} · {attempt.answer?.status ?? 'No response'}
                </span>
                <span className={css.timing}>
                  {asSecond(attempt.at)}
                  {attempt.answer && ` · ${asNumber(attempt.answer.ms)} ms`}
                </span>
                <ChevronDown size={14} />
              </UnstyledButton>
              {number === shown && (
                <LogExchange>
                  <Exchange request={attempt.request} answer={attempt.answer} />
                </LogExchange>
              )}
            </li>
          ))}
      </Panel>
    </section>
  )
}

/** Someone asked the partner. */
function Settle({ id }: { id: string }) {
  const changed = useChanged()
  const { mutate, isPending } = useMutation({
    mutationFn: (state: 'accepted' | 'failed') => api.settleLeadDelivery({ id, state }),
    onSuccess: () => {
      say('Delivery resolved')
      return changed()
    },
    onError: (error) => complain('The delivery was not resolved', error),
  })
  return (
    <Panel as="section" sunken className={css.settle} aria-label="Resolve the delivery">
      <p>
        The connection ended after the lead was sent. Ask the partner whether it arrived, then enter the result here. If
        it did not, the lead continues to the next route.
      </p>
      <div>
        <Button variant="default" size="xs" loading={isPending} onClick={() => mutate('accepted')}>
          Accepted
        </Button>
        <Button variant="default" size="xs" loading={isPending} onClick={() => mutate('failed')}>
          Not received
        </Button>
      </div>
    </Panel>
  )
}
