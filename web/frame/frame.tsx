import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { weekdays } from '../../contract/filter/moments.ts'
import { useServerTheme } from '../account/choices.ts'
import { goToSignIn } from '../client/queries.ts'
import { sessionQuery, useSignedIn } from '../client/session.ts'
import { hasUnsaved } from '../client/unsaved.ts'
import { JobsIndicator } from '../jobs/jobs-indicator.tsx'
import Conflicts from '../records/conflict-dialog.tsx'
import { writeMoneyFor } from '../records/value-text.ts'
import { writeTimesFor } from '../ui/moments.ts'
import { writeNumbersFor } from '../ui/numbers.ts'
import { CompanyName } from './company-name.tsx'
import { FindAndCreate } from './find-and-create.tsx'
import css from './frame.module.css'
import { useLiveUpdates } from './live-updates.ts'
import { Navigation } from './navigation.tsx'
import { NewVersion } from './new-version.tsx'
import { Notices } from './notices.tsx'
import { Bell } from './notifications/bell.tsx'
import { Overlays } from './overlays.tsx'
import { SessionEnded } from './session-ended.tsx'
import { useShortcutKeys } from './shortcut-keys.ts'
import { Shortcuts } from './shortcuts.tsx'
import { TopBar } from './top-bar.tsx'
import { UserMenu } from './user-menu.tsx'

/** Everything around a page for signed-in people. */
export function Frame() {
  const { me, company } = useSignedIn()
  const language = me.language ?? company.language
  writeNumbersFor(language)
  writeMoneyFor(language)
  writeTimesFor({
    language,
    timeZone: me.time_zone ?? company.time_zone,
    firstWeekday: weekdays[company.first_weekday],
  })
  useServerTheme(me.theme)
  useLiveUpdates()
  const ended = useSessionEnded()
  const narrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const [listed, list] = useDisclosure()
  useShortcutKeys(list.open)
  return (
    <div className={css.frame}>
      <a href="#content" className={css.skip}>
        Skip to content
      </a>
      <aside className={css.side} aria-label="Kith">
        <div className={css.head}>
          <CompanyName />
          {!narrow && <Bell />}
        </div>
        {!narrow && <FindAndCreate />}
        <Navigation />
        <div className={css.foot}>
          {!narrow && <JobsIndicator />}
          <UserMenu />
        </div>
      </aside>
      {narrow && <TopBar jobs={<JobsIndicator isIcon />} />}
      <main id="content" tabIndex={-1} className={css.main}>
        <NewVersion />
        {ended && <SessionEnded />}
        <Outlet />
      </main>
      {listed && <Shortcuts onClose={list.close} />}
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
