import { useIsMutating } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LeaveQuestion } from '../../../ui/leave-question.tsx'

type Place = { pathname: string; search: object }
type Props = { hasUnsaved: boolean; isLeaving?: (current: Place, next: Place) => boolean }

const recordIn = ({ search }: Place) => ('record' in search ? search.record : undefined)
/** Another filter or view is no leaving. */
const toAnotherPage = (current: Place, next: Place) => current.pathname !== next.pathname
/** What is open beside a list goes with its id. */
export const toAnotherRecord = (current: Place, next: Place) =>
  toAnotherPage(current, next) || recordIn(current) !== recordIn(next)

/** Asks before one leaves values behind that were entered and not saved; goes on by itself once they are. */
export function LeaveGuard({ hasUnsaved, isLeaving = toAnotherPage }: Props) {
  const { status, reset, proceed } = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsaved && isLeaving(current, next),
    enableBeforeUnload: false,
    withResolver: true,
  })
  const isBlocked = status === 'blocked'
  // What is on its way may still come back refused.
  const isSettled = useIsMutating() === 0 && !hasUnsaved
  useEffect(() => {
    if (isBlocked && isSettled) proceed()
  }, [isBlocked, isSettled, proceed])
  return isBlocked ? <LeaveQuestion onStay={reset} onLeave={proceed} /> : null
}
