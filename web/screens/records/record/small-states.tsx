import { Button, Skeleton } from '@mantine/core'
import css from './record.module.css'

export const PartLoading = ({ what }: { what: string }) => (
  <Skeleton height={44} radius="md" role="status" aria-label={`Loading ${what}`} />
)

/** One part of the page failed; the others go on. */
export const PartFailed = ({ what, onRetry, busy }: { what: string; onRetry: () => unknown; busy: boolean }) => (
  <div role="alert" className={css.partFailed}>
    <span>The {what} could not be loaded.</span>
    <Button variant="default" size="compact-sm" loading={busy} onClick={() => onRetry()}>
      Retry
    </Button>
  </div>
)
