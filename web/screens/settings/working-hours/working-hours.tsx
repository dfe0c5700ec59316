import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Clock, Pencil } from 'lucide-react'
import { useState } from 'react'
import { weekdays } from '../../../../contract/working-hours.ts'
import { hoursQuery } from '../../../channels/hours.ts'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { Panel, Part } from '../../../ui/basics/layout.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { Dialog } from '../../../ui/form/dialog.tsx'
import { RowOf, Rows } from '../../../ui/page/rows.tsx'
import { asDuration } from '../../../ui/text/moments.ts'
import { CompanyPage } from '../company-area.tsx'
import type { ChannelHours, Hours, InboxHours, Targets } from './hours.ts'
import { HoursForm } from './hours-form.tsx'
import { TargetsForm } from './targets-form.tsx'
import css from './working-hours.module.css'

export function WorkingHours() {
  const { may } = useSignedIn()
  const hours = useQuery({ ...hoursQuery, enabled: may('channels.manage') })
  return (
    <CompanyPage
      title="Working hours"
      lead="When the team answers messages, and how fast. Rules can use working hours, and targets only count working time."
      needs="channels.manage"
    >
      <Loaded query={hours} what="working hours" height={320}>
        {(shown) => <Parts of={shown} />}
      </Loaded>
    </CompanyPage>
  )
}

type Open = { what: 'hours' | 'targets'; channel?: ChannelHours }

function Parts({ of: shown }: { of: InboxHours }) {
  const client = useQueryClient()
  const [dialog, open] = useState<Open>()
  const close = () => open(undefined)
  const done = (saved: InboxHours) => {
    client.setQueryData(hoursQuery.queryKey, saved)
    close()
  }
  const channel = dialog?.channel
  return (
    <>
      <Part
        title="Hours"
        about={shown.is_open ? 'Open now.' : 'Closed now.'}
        action={<Edit label="Edit hours" onClick={() => open({ what: 'hours' })} />}
      >
        <Week of={shown.hours} zone={shown.time_zone} />
      </Part>
      <Part
        title="Targets"
        about="In working time. The first response is measured each time a conversation starts or reopens; the closing target is paused while it is snoozed."
        action={<Edit label="Edit targets" onClick={() => open({ what: 'targets' })} />}
      >
        <TargetFacts of={shown.targets} />
      </Part>
      <Part title="Channels" about="A channel can have its own hours and targets.">
        {shown.channels.length ? (
          <Rows label="Channels">
            {shown.channels.map((one) => (
              <RowOf key={one.channel_id} icon={Clock} title={<bdi>{one.name}</bdi>} note={<ChannelWords of={one} />}>
                <div className={css.controls}>
                  <Edit label="Hours" of={one.name} onClick={() => open({ what: 'hours', channel: one })} />
                  <Edit label="Targets" of={one.name} onClick={() => open({ what: 'targets', channel: one })} />
                </div>
              </RowOf>
            ))}
          </Rows>
        ) : (
          <p className={css.none}>No team channels yet. Connect a mailbox under Channels.</p>
        )}
      </Part>
      {dialog?.what === 'hours' && (
        <Dialog title={channel ? `Hours of ${channel.name}` : 'Working hours'} size={560} tall onClose={close}>
          <HoursForm
            of={channel ? channel.hours : shown.hours}
            zone={shown.time_zone}
            none={channel ? 'Company default' : 'Always open'}
            send={(hours) =>
              channel ? api.updateChannelHours({ id: channel.channel_id, hours }) : api.updateWorkingHours({ hours })
            }
            onDone={done}
            onClose={close}
          />
        </Dialog>
      )}
      {dialog?.what === 'targets' && (
        <Dialog title={channel ? `Targets of ${channel.name}` : 'Targets'} onClose={close}>
          <TargetsForm
            of={channel ? channel.targets : shown.targets}
            company={channel ? shown.targets : undefined}
            send={(targets) =>
              channel
                ? api.updateChannelHours({ id: channel.channel_id, targets })
                : api.updateWorkingHours({ targets: targets! })
            }
            onDone={done}
            onClose={close}
          />
        </Dialog>
      )}
    </>
  )
}

type EditProps = { label: string; of?: string; onClick: () => void }

const Edit = ({ label, of, onClick }: EditProps) => (
  <Button
    variant="default"
    size="compact-sm"
    leftSection={<Pencil size={13} />}
    aria-label={of ? `${label} of ${of}` : undefined}
    onClick={onClick}
  >
    {label}
  </Button>
)

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)

function Week({ of: hours, zone }: { of: Hours | null; zone: string }) {
  if (!hours) return <p className={css.none}>Always open. Set hours to exclude nights and weekends.</p>
  return (
    <Panel padded className={css.week}>
      <dl>
        {weekdays.map((day) => (
          <div key={day}>
            <dt>{capital(day)}</dt>
            <dd>{timesOf(hours.days[day])}</dd>
          </div>
        ))}
      </dl>
      <p className={css.note}>
        {(hours.time_zone ?? zone).replaceAll('_', ' ')}
        {hours.holidays.length > 0 &&
          ` · ${hours.holidays.length} ${hours.holidays.length === 1 ? 'holiday' : 'holidays'}`}
      </p>
    </Panel>
  )
}

const timesOf = (times: { from: string; to: string }[]) =>
  times.length ? times.map(({ from, to }) => `${from}–${to}`).join(', ') : 'Closed'

const TargetFacts = ({ of: { response_minutes, resolution_minutes } }: { of: Targets }) => (
  <Panel padded className={css.targets}>
    <dl>
      <div>
        <dt>First response</dt>
        <dd>{response_minutes === null ? 'No target' : `within ${asDuration(response_minutes)}`}</dd>
      </div>
      <div>
        <dt>Closed</dt>
        <dd>{resolution_minutes === null ? 'No target' : `within ${asDuration(resolution_minutes)}`}</dd>
      </div>
    </dl>
  </Panel>
)

function ChannelWords({ of: { hours, targets, is_open } }: { of: ChannelHours }) {
  const parts = [
    is_open ? 'Open now' : 'Closed now',
    hours ? 'custom hours' : 'company hours',
    targets ? `custom targets: ${targetWords(targets)}` : 'company targets',
  ]
  return parts.join(' · ')
}

function targetWords({ response_minutes, resolution_minutes }: Targets) {
  const parts = [
    response_minutes !== null && `first response within ${asDuration(response_minutes)}`,
    resolution_minutes !== null && `closed within ${asDuration(resolution_minutes)}`,
  ].filter(Boolean)
  return parts.length ? parts.join(', ') : 'none'
}
