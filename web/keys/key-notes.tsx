import { ArrowRightLeft, CircleCheck, TriangleAlert } from 'lucide-react'
import css from './key-notes.module.css'
import type { Key } from './keys.ts'
import { Prefix } from './prefix.tsx'
import { RecentClients } from './recent-clients.tsx'

/** How far a rotation has come, told at both of its keys. */
export function KeyNotes({ of: key, all }: { of: Key; all: Key[] }) {
  const old = all.find(({ id }) => id === key.replaces_id)
  const successor = all.find(({ replaces_id }) => replaces_id === key.id)
  return (
    <>
      {old && (
        <p className={css.note}>
          <ArrowRightLeft size={13} aria-hidden="true" />
          <span>
            Replaces <bdi>{old.name}</bdi> <Prefix of={old} />
          </span>
        </p>
      )}
      {successor && <Leaving of={key} to={successor} />}
    </>
  )
}

function Leaving({ of: key, to }: { of: Key; to: Key }) {
  if (key.recent_clients.length)
    return (
      <div className={css.note} data-tone="warn">
        <TriangleAlert size={13} aria-hidden="true" />
        <div>
          Still used by
          <RecentClients clients={key.recent_clients} />
          Point them at <bdi>{to.name}</bdi> <Prefix of={to} />, then delete this key.
        </div>
      </div>
    )
  return (
    <p className={css.note} data-tone="ok">
      <CircleCheck size={13} aria-hidden="true" />
      <span>No calls in the last 24 hours. Delete it once every client uses the new key.</span>
    </p>
  )
}
