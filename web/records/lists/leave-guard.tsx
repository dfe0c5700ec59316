import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useStore } from '../../client/store.ts'
import { LeaveQuestion } from '../../ui/form/dialog.tsx'
import { dropEdits, fieldEdits, isKept } from '../data/field-edits.ts'

type Place = { pathname: string; search: object }
type Props = { hasUnsaved: boolean; isLeaving?: (current: Place, next: Place) => boolean }

const recordIn = ({ search }: Place) => ('record' in search ? search.record : undefined)
/** Another filter or view is no leaving. */
const toAnotherPage = (current: Place, next: Place) => current.pathname !== next.pathname
/** What is open beside a list goes with its id. */
export const toAnotherRecord = (current: Place, next: Place) =>
  toAnotherPage(current, next) || recordIn(current) !== recordIn(next)

/** Pending edits are usually saved by the time this runs, so there is no need to ask. */
const askAfterMs = 500

/** Waits for edits that are on their way, and asks before one leaves values behind that are not saved. */
export function LeaveGuard({ hasUnsaved, isLeaving = toAnotherPage }: Props) {
  const edits = useStore(fieldEdits)
  const { status, reset, proceed } = useBlocker({
    shouldBlockFn: ({ current, next }) => (hasUnsaved || fieldEdits.get().size > 0) && isLeaving(current, next),
    enableBeforeUnload: false,
    withResolver: true,
  })
  const isBlocked = status === 'blocked'
  const isSettled = edits.size === 0 && !hasUnsaved
  useEffect(() => {
    if (isBlocked && isSettled) proceed()
  }, [isBlocked, isSettled, proceed])
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isBlocked) return setLate(false)
    const timer = setTimeout(() => setLate(true), askAfterMs)
    return () => clearTimeout(timer)
  }, [isBlocked])
  const leave = () => {
    dropEdits()
    proceed?.()
  }
  const isAsked = isBlocked && !isSettled && (isLate || [...edits.values()].some(isKept))
  return isAsked ? <LeaveQuestion onStay={reset} onLeave={leave} /> : null
}
