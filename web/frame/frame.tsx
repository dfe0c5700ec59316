import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { weekdays } from '../../contract/filter/moments.ts'
import { eventNames } from '../../contract/shared/event-names.ts'
import { useServerTheme } from '../account/choices.ts'
import { heardOfJob } from '../client/jobs.ts'
import { type LiveEvent, openLive } from '../client/live.ts'
import { goToSignIn } from '../client/queries.ts'
import { reload } from '../client/saving.ts'
import { sessionQuery, useSignedIn } from '../client/session.ts'
import { useStore } from '../client/store.ts'
import { hasUnsaved } from '../client/unsaved.ts'
import { heardOfInbox } from '../conversations/live.ts'
import { toUndo } from '../history/open-undo.ts'
import { toCreate } from '../records/data/open-create.ts'
import { toMerge } from '../records/data/open-merge.ts'
import { recordsChangedSoon } from '../records/data/record-cache.ts'
import { writeMoneyFor } from '../records/data/value-text.ts'
import Conflicts from '../records/forms/conflict-dialog.tsx'
import { CreateInPlace } from '../records/forms/create-in-place-dialog.tsx'
import { QuickCreate } from '../screens/create/quick-create.tsx'
import { useIsPhone } from '../ui/basics/screen.ts'
import { formatsInUse } from '../ui/text/formats.ts'
import { writeTimesFor } from '../ui/text/moments.ts'
import { writeNumbersFor } from '../ui/text/numbers.ts'
import css from './frame.module.css'
import { JobsIndicator } from './jobs-indicator.tsx'
import { NewVersion, Notices, SessionEnded } from './notices.tsx'
import { Bell, notificationsQuery } from './notifications.tsx'
import { closeOverlay, overlay } from './overlay.ts'
import { Palette } from './palette.tsx'
import { BottomBar, TopBar } from './phone-bars.tsx'
import { Shortcuts, useShortcutKeys } from './shortcuts.tsx'
import { CompanyName, FindAndCreate, Navigation } from './sidebar.tsx'
import { UserMenu } from './user-menu.tsx'

/** Everything around a page for signed-in people. */
export function Frame() {
  const { me, company } = useSignedIn()
  const language = me.language ?? company.language
  writeNumbersFor(language)
  writeMoneyFor(language, [company.currency, ...company.rates.map(({ currency }) => currency)])
  writeTimesFor({
    language,
    timeZone: me.time_zone ?? company.time_zone,
    firstWeekday: weekdays[company.first_weekday],
  })
  const timeZone = me.time_zone ?? company.time_zone
  useEffect(() => formatsInUse.set(`${language} ${timeZone}`), [language, timeZone])
  useServerTheme(me.theme)
  useLiveUpdates()
  const ended = useSessionEnded()
  const narrow = useIsPhone()
  useShortcutKeys()
  return (
    <div className={css.frame}>
      <a href="#content" className={css.skip}>
        Skip to content
      </a>
      <aside className={css.side} aria-label="Kith">
        <CompanyName />
        {!narrow && <FindAndCreate />}
        <Navigation />
        <div className={css.foot}>
          {!narrow && <JobsIndicator />}
          <div className={css.account}>
            <UserMenu />
            {!narrow && <Bell />}
          </div>
        </div>
      </aside>
      {narrow && <TopBar jobs={<JobsIndicator isIcon />} />}
      <main id="content" tabIndex={-1} className={css.main}>
        <NewVersion />
        {ended && <SessionEnded />}
        <Outlet />
      </main>
      {narrow && <BottomBar />}
      <Notices />
      <Conflicts />
      <Overlays />
    </div>
  )
}

/** Signing out in another tab, or an expired session, shows as soon as one comes back to this tab. */
function useSessionEnded() {
  const { data } = useQuery({ ...sessionQuery, refetchOnWindowFocus: 'always' })
  const gone = data?.state !== 'signed_in'
  useEffect(() => {
    if (gone && !hasUnsaved()) goToSignIn()
  }, [gone])
  return gone
}

const MergeDialog = lazy(() => import('../records/merge/merge-dialog.tsx'))
const UndoDialog = lazy(async () => ({ default: (await import('../history/undo.tsx')).UndoDialog }))

/** What is drawn over any page. */
function Overlays() {
  const asked = useStore(toCreate)
  const merging = useStore(toMerge)
  const undoing = useStore(toUndo)
  const shown = useStore(overlay)
  return (
    <>
      {asked && <QuickCreate asked={asked} onClose={() => toCreate.set(undefined)} />}
      <CreateInPlace />
      {merging && (
        <Suspense>
          <MergeDialog asked={merging} onClose={() => toMerge.set(undefined)} />
        </Suspense>
      )}
      {undoing && (
        <Suspense>
          <UndoDialog of={undoing} onClose={() => toUndo.set(undefined)} />
        </Suspense>
      )}
      {shown === 'palette' && <Palette onClose={closeOverlay} />}
      {shown === 'shortcuts' && <Shortcuts onClose={closeOverlay} />}
    </>
  )
}

const names = ['notification', 'records', 'jobs', 'conversations', ...eventNames]

/** Fetches again what the server says has changed. A session that ended shows by fetching it. */
function useLiveUpdates() {
  const client = useQueryClient()
  useEffect(() => {
    const again = (queryKey: readonly string[]) => void reload(client, queryKey)
    const onEvent = ({ event, data }: LiveEvent) => {
      if (heardOfInbox(client, { event, data })) return
      if (event === 'resync') void client.invalidateQueries()
      if (event === 'records') recordsChangedSoon(client, String(data.object))
      if (event === 'jobs') heardOfJob(data, myId(client))
      if (event === 'schema.updated') for (const key of ['schema', 'views']) again([key])
      if (event === 'notification') again(notificationsQuery.queryKey)
      if (['access', 'signed-out', 'company.updated'].includes(event)) again(sessionQuery.queryKey)
      if (event.startsWith('user.')) again(['users'])
      if (event.startsWith('webhook.')) again(['webhooks'])
      if (event.startsWith('lead.')) again(['website-leads'])
      if (event === 'lead_sending.changed') again(['lead-sending'])
      if (event === 'dashboard.changed') again(['dashboards'])
      if (event === 'inbox_rules.changed') again(['inbox', 'rules'])
      if (event === 'working_hours.changed') again(['inbox', 'hours'])
    }
    return openLive({ onEvent, names })
  }, [client])
}

function myId(client: QueryClient) {
  const session = client.getQueryData(sessionQuery.queryKey)
  return session?.state === 'signed_in' ? session.me.id : undefined
}
