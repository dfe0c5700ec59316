import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { wordsOf } from '../../ui/form-errors.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { say } from '../../ui/notices.ts'
import css from './delete-keys.module.css'
import notes from './key-notes.module.css'
import { counted, type Key } from './keys.ts'
import { Prefix } from './prefix.tsx'
import { RecentClients } from './recent-clients.tsx'

type Props = { keys: Key[]; remove: (ids: string[]) => Promise<unknown>; onDone: () => void; onClose: () => void }

export function DeleteKeys({ keys, remove, onDone, onClose }: Props) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => remove(keys.map(({ id }) => id)),
    onSuccess: () => {
      onDone()
      onClose()
      say(`${counted(keys.length)} deleted`)
    },
  })
  return (
    <Dialog title={`Delete ${counted(keys.length)}?`} onClose={onClose}>
      <FormFailure>{error && wordsOf(error)}</FormFailure>
      <p className={css.warning}>
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
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button className={css.danger} loading={isPending} onClick={() => mutate()}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}
