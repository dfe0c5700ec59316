import { Button } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { firstSyncDays } from '../../contract/channels.ts'
import { pages } from '../../contract/shared/pages.ts'
import { api } from '../client/api.ts'
import { jobQuery } from '../client/jobs.ts'
import { pagesOf } from '../client/pages.ts'
import { ButtonLink } from '../ui/basics/links.tsx'
import { LoadedList } from '../ui/basics/loaded.tsx'
import { complain } from '../ui/basics/notices.tsx'
import { StateDot, StatusLine, StatusNote } from '../ui/basics/status.tsx'
import { Dialog } from '../ui/form/dialog.tsx'
import { ProgressBar } from '../ui/form/file-drop.tsx'
import { RowOf, Rows } from '../ui/page/rows.tsx'
import { type Column, DataTable } from '../ui/page/table.tsx'
import { Ago } from '../ui/text/ago.tsx'
import { asMinute } from '../ui/text/moments.ts'
import { asNumber } from '../ui/text/numbers.ts'
import css from './channels.module.css'
import { type ChannelDetails, type Folder, isBehind, stateOf, useChannelsChanged } from './channels.ts'
import { ProviderSignIn } from './connect-mailbox.tsx'

/** How a mailbox is really doing: what is here beside what is on the server. */
export function ChannelState({ of: channel }: { of: ChannelDetails }) {
  const [areFaultsShown, showFaults] = useState(false)
  const last = latestOf(channel.folders)
  return (
    <>
      {(channel.state === 'failing' || channel.state === 'sign_in') && (
        <StatusNote
          tone="bad"
          action={
            channel.state === 'sign_in' &&
            channel.provider && <ProviderSignIn provider={channel.provider} channelId={channel.id} />
          }
        >
          {channel.state_reason ?? 'This mailbox cannot be read.'}
        </StatusNote>
      )}
      {channel.state === 'disconnected' && (
        <StatusNote
          tone="quiet"
          action={channel.provider && <ProviderSignIn provider={channel.provider} channelId={channel.id} />}
        >
          {channel.state_reason ?? 'Disconnected.'} Nothing is received or sent. Existing messages are kept.
        </StatusNote>
      )}
      {channel.state === 'paused' && (
        <StatusNote tone="quiet" action={<PauseButton of={channel} size="compact-sm" />}>
          Paused: nothing is received or sent until you resume it.
        </StatusNote>
      )}
      <StatusLine
        of={[
          ['State', <StateDot key="state" of={stateOf(channel)} />],
          [
            'Checked',
            last ? (
              <span key="last">
                <Ago at={last} />
                {channel.state === 'synced' && ', waiting for new mail'}
              </span>
            ) : (
              'Not yet'
            ),
          ],
          ['Waiting to be sent', asNumber(channel.waiting)],
          [
            'Skipped messages',
            channel.faults ? (
              <Button key="faults" variant="subtle" size="compact-sm" px={0} onClick={() => showFaults(true)}>
                {asNumber(channel.faults)} messages
              </Button>
            ) : (
              <span key="faults" title="Messages that cannot be read are skipped. They stay on the server.">
                None
              </span>
            ),
          ],
        ]}
      />
      {channel.job_id && <FirstSync id={channel.job_id} />}
      {channel.folders.length > 0 && (
        <DataTable
          label="Folders"
          className={css.folders}
          stackOn="phone"
          columns={columns}
          items={channel.folders}
          keyOf={({ path }) => path}
        />
      )}
      {areFaultsShown && <Faults id={channel.id} onClose={() => showFaults(false)} />}
    </>
  )
}

const latestOf = (folders: Folder[]) =>
  folders
    .flatMap(({ last_success_at }) => last_success_at ?? [])
    .sort()
    .at(-1)

function FirstSync({ id }: { id: string }) {
  const { data: job } = useQuery(jobQuery(id))
  if (!job) return null
  const { done, total } = job
  return (
    <div className={css.progress}>
      <span>
        Syncing the last {firstSyncDays} days
        {total ? `: ${asNumber(done)} of ${asNumber(total)} messages` : done ? `: ${asNumber(done)} messages` : ''}. New
        messages already arrive.
      </span>
      <ProgressBar label="First sync" percent={total ? Math.floor((100 * done) / total) : undefined} />
    </div>
  )
}

const columns: Column<Folder>[] = [
  { key: 'name', label: 'Folder', bare: true, cell: ({ path }) => <span className={css.folder}>{path}</span> },
  {
    key: 'ours',
    label: 'In Kith',
    cell: (folder) => (
      <span className={css.counts} data-behind={isBehind(folder) || undefined}>
        {asNumber(folder.our_count)}
      </span>
    ),
  },
  {
    key: 'theirs',
    label: 'On the server',
    cell: ({ server_count }) => (
      <span className={css.counts}>{server_count === null ? 'Not known yet' : asNumber(server_count)}</span>
    ),
  },
  {
    key: 'last',
    label: 'Last success',
    cell: ({ last_success_at }) =>
      last_success_at ? <Ago at={last_success_at} /> : <span className={css.dim}>Not yet</span>,
  },
  {
    key: 'error',
    label: 'Last error',
    cell: ({ last_error, last_error_at }) =>
      last_error ? (
        <span className={css.bad} title={last_error_at ? asMinute(last_error_at) : undefined}>
          {last_error}
        </span>
      ) : (
        <span className={css.dim}>None</span>
      ),
  },
]

type PauseProps = { of: ChannelDetails; size?: 'sm' | 'compact-sm' }

export function PauseButton({ of: { id, state }, size = 'sm' }: PauseProps) {
  const changed = useChannelsChanged()
  const isPaused = state === 'paused'
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.updateChannel({ id, is_paused: !isPaused }),
    onSuccess: changed,
    onError: (error) => complain('The channel was not changed', error),
  })
  return (
    <Button variant="default" size={size} loading={isPending} onClick={() => mutate()}>
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
  )
}

export const ChannelActions = ({ of: channel }: { of: ChannelDetails }) => (
  <div className={css.actions}>
    <ButtonLink variant="default" to={pages.inbox} search={{ view: channel.id }}>
      Open in inbox
    </ButtonLink>
    {channel.state !== 'paused' && channel.state !== 'disconnected' && <SyncNow of={channel} />}
  </div>
)

function SyncNow({ of: { id } }: { of: ChannelDetails }) {
  const changed = useChannelsChanged()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.syncChannel({ id }),
    onSuccess: () => changed(),
    onError: (error) => complain('The mailbox was not read', error),
  })
  return (
    <Button variant="default" loading={isPending} leftSection={<RefreshCw size={14} />} onClick={() => mutate()}>
      Sync now
    </Button>
  )
}

function Faults({ id, onClose }: { id: string; onClose: () => void }) {
  const faults = useInfiniteQuery(
    pagesOf(['inbox', 'channel', id, 'faults'], (cursor, signal) =>
      api.listChannelErrors({ id, cursor, limit: 30 }, { signal }),
    ),
  )
  return (
    <Dialog title="Skipped messages" size={620} tall onClose={onClose}>
      <div className={css.faults}>
        <p className={css.hint}>
          These messages could not be read and are not in the inbox. They are still on the server, and everything else
          was read.
        </p>
        <LoadedList query={faults} what="messages" empty={<p className={css.hint}>No skipped messages left.</p>}>
          {(items) => (
            <Rows label="Skipped messages">
              {items.map((fault) => (
                <RowOf
                  key={fault.id}
                  title={fault.reason}
                  note={`${fault.folder ?? 'Unknown folder'}${fault.uid === null ? '' : `, UID ${fault.uid}`} · ${asMinute(fault.at)}`}
                />
              ))}
            </Rows>
          )}
        </LoadedList>
      </div>
    </Dialog>
  )
}
