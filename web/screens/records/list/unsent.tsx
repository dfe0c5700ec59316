import { Button } from '@mantine/core'
import { CloudOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useOnline } from '../../../records/use-online.ts'
import css from './list.module.css'
import type { Editing } from './use-editing.ts'

/** While the server cannot be reached: what was entered waits in its cells, and goes out when it is back. */
export function Unsent({ editing }: { editing: Editing }) {
  const isOnline = useOnline()
  const waiting = [...editing.refused.values()].filter(({ isAway }) => isAway).length
  const send = useRef(editing.sendAgain)
  send.current = editing.sendAgain
  useEffect(() => {
    if (isOnline) send.current()
  }, [isOnline])
  if (isOnline && !waiting) return null
  return (
    <div role="status" className={css.banner}>
      <CloudOff size={16} aria-hidden="true" />
      <span>
        {isOnline ? 'The server cannot be reached.' : 'You are offline.'}{' '}
        {waiting
          ? `${waiting === 1 ? 'One change is' : `${waiting} changes are`} kept here and not saved yet.`
          : 'You can go on reading and editing what is here.'}
      </span>
      {waiting > 0 && (
        <Button size="compact-sm" variant="default" onClick={editing.sendAgain}>
          Try again
        </Button>
      )}
    </div>
  )
}
