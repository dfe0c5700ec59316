import { Button, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { RowOf, Rows } from '../../../ui/page/rows.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { asMinute } from '../../../ui/text/moments.ts'
import css from '../shared/lead-sending.module.css'
import { type LeadReturn, returnsQuery, useChanged, useLeads, useMoney } from '../shared/queries.ts'
import { reasonWords } from './record-return.tsx'

export function Returns() {
  const [state, setState] = useState<LeadReturn['state'] | 'all'>('waiting')
  const returns = useInfiniteQuery(returnsQuery(state === 'all' ? undefined : state))
  const none = (
    <Message icon={Undo2} title={state === 'waiting' ? 'No returns to review' : 'No returns'}>
      {state === 'waiting'
        ? 'Partners return leads with the return link. Emails include it; in HTTP requests, add {{ return_link }} to the body. You can also record a return on its delivery.'
        : 'None in this state yet.'}
    </Message>
  )
  return (
    <>
      <div className={css.tools}>
        <SegmentedControl
          aria-label="State"
          data={[
            { value: 'waiting', label: 'To review' },
            { value: 'accepted', label: 'Accepted' },
            { value: 'declined', label: 'Declined' },
            { value: 'all', label: 'All' },
          ]}
          value={state}
          onChange={(next) => setState(next as typeof state)}
        />
      </div>
      <LoadedList query={returns} what="returns" height={200} empty={none}>
        {(items) => (
          <Rows label="Returns">
            {items.map((one) => (
              <ReturnRow key={one.id} of={one} />
            ))}
          </Rows>
        )}
      </LoadedList>
    </>
  )
}

function ReturnRow({ of: one }: { of: LeadReturn }) {
  const changed = useChanged()
  const { mutate, isPending } = useMutation({
    mutationFn: (state: 'accepted' | 'declined') => api.decideLeadReturn({ id: one.id, state }),
    onSuccess: ({ state }) => {
      say(state === 'accepted' ? 'Return accepted' : 'Return declined')
      return changed()
    },
    onError: (error) => complain('Your decision was not saved', error),
  })
  const asMoney = useMoney()
  const leads = useLeads()?.key ?? 'leads'
  const about = [
    reasonWords[one.reason],
    one.price ? `${asMoney(one.price)} ${moneyWords[one.state]}` : '',
    one.accepts_at ? `accepted automatically ${asMinute(one.accepts_at)}` : '',
    one.decided_at ? `${one.decided_by_name ?? 'Automatically'}, ${asMinute(one.decided_at)}` : '',
  ].filter(Boolean)
  return (
    <RowOf
      icon={Undo2}
      title={
        <span className={css.returned}>
          {one.lead_title === null ? (
            'Deleted or hidden lead'
          ) : (
            <Link to="/records/$object/$id" params={{ object: leads, id: one.lead_id }}>
              <bdi>{one.lead_title}</bdi>
            </Link>
          )}
          <span className={css.dim}>
            from <bdi>{one.destination_name}</bdi>
          </span>
        </span>
      }
      note={
        <>
          {about.join(' · ')} · <Ago at={one.requested_at} />
          {one.text && (
            <span className={css.quote} dir="auto">
              “{one.text}”
            </span>
          )}
        </>
      }
    >
      {one.state === 'waiting' ? (
        <>
          <Button variant="default" size="compact-sm" loading={isPending} onClick={() => mutate('declined')}>
            Decline
          </Button>
          <Button size="compact-sm" loading={isPending} onClick={() => mutate('accepted')}>
            Accept
          </Button>
        </>
      ) : (
        <span className={css.dim}>{one.state === 'accepted' ? 'Accepted' : 'Declined'}</span>
      )}
    </RowOf>
  )
}

const moneyWords: Record<LeadReturn['state'], string> = {
  waiting: 'would be reversed',
  accepted: 'reversed',
  declined: 'stays',
}
