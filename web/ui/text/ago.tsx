import { useSyncExternalStore } from 'react'
import { asAgo, asFull } from './moments.ts'
import { hearTime, timeNow } from './now.ts'

/** How long ago, with the exact time for those who point at it. It counts on while the page is open. */
export function Ago({ at }: { at: string }) {
  const words = useSyncExternalStore(hearTime, () => asAgo(at, timeNow()))
  return (
    <time dateTime={at} title={asFull(at)}>
      {words}
    </time>
  )
}
