import { TriangleAlert } from 'lucide-react'
import { Confirm } from '../ui/confirm.tsx'
import { say } from '../ui/notices.tsx'
import css from './delete-keys.module.css'
import notes from './key-notes.module.css'
import { counted, type Key } from './keys.ts'
import { Prefix } from './prefix.tsx'
import { RecentClients } from './recent-clients.tsx'

type Props = { keys: Key[]; remove: (ids: string[]) => Promise<unknown>; onDone: () => void; onClose: () => void }

export const DeleteKeys = ({ keys, remove, onDone, onClose }: Props) => (
  <Confirm
    title={`Delete ${counted(keys.length)}?`}
    action="Delete"
    act={() => remove(keys.map(({ id }) => id))}
    onDone={() => {
      onDone()
      say(`${counted(keys.length)} deleted`)
    }}
    onClose={onClose}
  >
    <p>
      {keys.length === 1
        ? 'It stops working at once, and nothing replaces it.'
        : 'They stop working at once, and nothing replaces them.'}
    </p>
    <ul className={css.keys}>
      {keys.map((key) => (
        <li key={key.id}>
          <bdi>{key.name}</bdi> <Prefix of={key} />
          {key.recent_clients.length > 0 && (
            <div className={notes.note} data-tone="warn">
              <TriangleAlert size={13} aria-hidden="true" />
              <div>
                Used in the last 24 hours by
                <RecentClients clients={key.recent_clients} />
              </div>
            </div>
          )}
        </li>
      ))}
    </ul>
  </Confirm>
)
