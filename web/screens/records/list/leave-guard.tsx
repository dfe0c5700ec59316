import { useBlocker } from '@tanstack/react-router'
import { LeaveQuestion } from '../../../ui/leave-question.tsx'

/** Asks before one leaves values behind that were entered and not saved. Another filter or view is no leaving. */
export function LeaveGuard({ hasUnsaved }: { hasUnsaved: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  })
  return blocker.status === 'blocked' ? <LeaveQuestion onStay={blocker.reset} onLeave={blocker.proceed} /> : null
}
