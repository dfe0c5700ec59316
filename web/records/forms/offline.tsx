import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useConnected } from '../../client/connection.ts'
import css from './offline.module.css'

type Props = {
  /** Also while the server answers again: something is still to be sent. */
  isKept?: boolean
  children?: ReactNode
  action?: ReactNode
}

/** While the server cannot be reached: what is entered waits in its place, and goes out when it is back. */
export function Offline({ isKept = false, children = usual, action }: Props) {
  if (useConnected() && !isKept) return null
  return (
    <div role="status" className={css.offline}>
      <CloudOff size={16} />
      <span>
        {navigator.onLine ? 'The server cannot be reached.' : 'You are offline.'} {children}
      </span>
      {action}
    </div>
  )
}

const usual = 'Your edits are kept and will be saved when you’re back online.'
