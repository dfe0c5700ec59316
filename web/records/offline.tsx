import { CloudOff } from 'lucide-react'
import css from './offline.module.css'
import { useOnline } from './use-online.ts'

/** While there is no connection: what is entered waits in its place, and goes out when it is back. */
export function Offline() {
  if (useOnline()) return null
  return (
    <div role="status" className={css.offline}>
      <CloudOff size={16} aria-hidden="true" />
      You are offline. What you change is kept here and saved when the connection is back.
    </div>
  )
}
