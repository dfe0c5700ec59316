import { Button } from '@mantine/core'
import { askNow } from '../../../client/connection.ts'
import { useStore } from '../../../client/store.ts'
import { fieldEdits } from '../../../records/field-edits.ts'
import { Offline } from '../../../records/offline.tsx'

/** While the server cannot be reached: what was entered waits in its cells, and is sent when it is back. */
export function Unsent() {
  const waiting = [...useStore(fieldEdits).values()].filter(({ isWaiting }) => isWaiting).length
  const again = (
    <Button size="compact-sm" variant="default" onClick={askNow}>
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
