import { Button } from '@mantine/core'
import { useNewVersion } from '../client/new-version.ts'
import css from './banner.module.css'

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
