import { Button, Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useTitle } from '../../../records/data/records-api.ts'
import { TitleChip } from '../../../records/fields/field-value.tsx'
import { wordsOf } from '../../../ui/basics/errors.ts'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { FormFailure } from '../../../ui/basics/states.tsx'
import { Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { LogHead } from '../../../ui/page/log.tsx'
import { asFull, asMinute, asTime } from '../../../ui/text/moments.ts'
import { destinationsQuery, type Routing, traceQuery, useChanged } from '../shared/queries.ts'
import css from './deliveries.module.css'

const stateWords: Record<NonNullable<Routing['state']>, string> = {
  waiting: 'On its way',
  delivered: 'Delivered',
  not_taken: 'Unplaced',
  stopped: 'Stopped by a route',
  unknown: 'Unknown',
}

/** Where a lead went, and why, with a way to send it again. */
export function LeadTrace({ lead_id }: { lead_id: string }) {
  const trace = useQuery({ ...traceQuery(lead_id), refetchInterval: 5000 })
  const [isSending, send] = useState(false)
  return (
    <>
      <LogHead>
        <h3>Where this lead went, and why</h3>
        <Button variant="default" size="xs" leftSection={<Send size={13} />} onClick={() => send(true)}>
          Send again
        </Button>
      </LogHead>
      <Loaded query={trace} what="the trace" height={120}>
        {(routing) => (
          <>
            <p className={css.routing}>
              <OpenLead id={lead_id} />
              <span>{routing.state ? stateWords[routing.state] : 'Not sent through the routes'}</span>
              {routing.next_at && <span>Next attempt {asMinute(routing.next_at)}</span>}
            </p>
            <TraceLines of={routing} />
          </>
        )}
      </Loaded>
      {isSending && <SendLead lead_id={lead_id} onClose={() => send(false)} />}
    </>
  )
}

function OpenLead({ id }: { id: string }) {
  const { data } = useTitle(id)
  return data ? <TitleChip titled={data} /> : null
}

/** What was tried, one line after the other. */
export const TraceLines = ({ of: { lines } }: { of: Pick<Routing, 'lines'> }) =>
  lines.length ? (
    <ol className={css.trace} aria-label="Trace">
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added at the end
        <li key={i} data-tone={tones[line.what]}>
          <span>{line.text}</span>
          <time dateTime={line.at} title={asFull(line.at)}>
            {asTime(line.at)}
          </time>
        </li>
      ))}
    </ol>
  ) : (
    <p className={css.quiet}>No route was tried. Leads go through the routes when they are created.</p>
  )

const tones: Record<string, 'ok' | 'bad' | 'warn'> = {
  accepted: 'ok',
  taken: 'ok',
  rejected: 'bad',
  duplicate: 'bad',
  failed: 'bad',
  returned: 'bad',
  filter_broken: 'bad',
  not_possible: 'bad',
  unknown: 'warn',
  again: 'warn',
  cap_reached: 'warn',
  not_taken: 'warn',
  stopped: 'warn',
}

function SendLead({ lead_id, onClose }: { lead_id: string; onClose: () => void }) {
  const { data: destinations = [] } = useQuery(destinationsQuery)
  const [destination_id, choose] = useState<string | null>(null)
  const changed = useChanged()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.sendLead({ id: lead_id, ...(destination_id && { destination_id }) }),
    onSuccess: () => {
      say(destination_id ? 'The lead is sent' : 'Routing the lead again')
      onClose()
      return changed()
    },
  })
  return (
    <Dialog title="Send this lead" onClose={onClose}>
      <FormFailure>{error && wordsOf(error)}</FormFailure>
      <Select
        label="To"
        description="A destination that accepted the lead never gets it twice."
        placeholder="Use the routes"
        data={destinations.map(({ id, name }) => ({ value: id, label: name }))}
        clearable
        searchable
        value={destination_id}
        onChange={choose}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={isPending} onClick={() => mutate()}>
          Send lead
        </Button>
      </DialogActions>
    </Dialog>
  )
}
