import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useConnected } from '../../../connection.ts'
import { Offline } from '../../../records/offline.tsx'
import type { Editing } from './use-editing.ts'

/** While the server cannot be reached: what was entered waits in its cells, and goes out when it is back. */
export function Unsent({ editing }: { editing: Editing }) {
  const isConnected = useConnected()
  const waiting = [...editing.refused.values()].filter(({ isAway }) => isAway).length
  const send = useRef(editing.sendAgain)
  send.current = editing.sendAgain
  useEffect(() => {
    if (isConnected) send.current()
  }, [isConnected])
  const again = (
    <Button size="compact-sm" variant="default" onClick={editing.sendAgain}>
      Try again
    </Button>
  )
  return (
    <Offline isKept={waiting > 0} action={waiting > 0 && again}>
      {waiting
        ? `${waiting === 1 ? 'One change is' : `${waiting} changes are`} kept here and not saved yet.`
        : 'You can go on reading and editing what is here.'}
    </Offline>
  )
}
