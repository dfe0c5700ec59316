import { Button, getDefaultZIndex } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { pages } from '../../contract/shared/pages.ts'
import { useNewVersion } from '../client/new-version.ts'
import { Failure } from '../ui/basics/states.tsx'
import { Wordmark } from '../ui/theme/logo.tsx'
import css from './notices.module.css'

/** Above dialogs, but below the lists of selects. */
const layer = getDefaultZIndex('modal') + 50

export const Notices = () => (
  <Notifications position="bottom-right" limit={3} zIndex={layer} className={css.notices ?? ''} />
)

/** Drafts are kept, and the browser asks before it drops anything else that is not saved. */
export function NewVersion() {
  if (!useNewVersion()) return null
  return (
    <div className={css.banner} role="status">
      <span>A new version is available.</span>
      <Button size="xs" variant="default" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  )
}

/** Stands above a page with unsaved input after the session ended; it goes by itself once one has signed in again. */
export const SessionEnded = () => (
  <div className={css.banner} role="alert">
    <span>Your session has ended. Sign in again in a new tab, then come back. What you typed is still here.</span>
    <Button component="a" href={pages.signIn} target="_blank" size="xs" variant="default">
      Sign in
    </Button>
  </div>
)

/** Kith could not even learn who is there. */
export function Unreachable({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    await router.invalidate()
    setBusy(false)
    reset()
  }
  return (
    <main className={css.room}>
      <title>No connection · Kith</title>
      <h1 tabIndex={-1}>
        <Wordmark />
      </h1>
      <Failure error={error} onRetry={retry} busy={busy} />
    </main>
  )
}
