import { Button, Pill } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useViewChange, type View } from '../../../records/lists/list-search.ts'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Dialog, DialogActions } from '../../../ui/form/dialog.tsx'
import { UserSelect } from '../../../users/user-select.tsx'
import { knownUsersQuery } from '../../../users/users.ts'

/** Chooses the members who see a view. */
export default function ShareView({ view, onClose }: { view: View; onClose: () => void }) {
  const { mutate, isPending } = useViewChange(api.updateView)
  const [ids, setIds] = useState(view.shared_with)
  const { data: users } = useQuery(knownUsersQuery)
  const save = () =>
    mutate(
      { id: view.id, shared_with: ids },
      {
        onSuccess: () => {
          onClose()
          say(
            ids.length
              ? `Shared with ${ids.length === 1 ? '1 member' : `${ids.length} members`}.`
              : 'Only you see this view now.',
          )
        },
        onError: (error) => complain('The view was not shared', error),
      },
    )
  return (
    <Dialog title="Share view" onClose={onClose}>
      <p>They see “{view.name}” among their views. Each of them only sees records they have access to.</p>
      <Pill.Group>
        {ids.map((id) => (
          <Pill
            key={id}
            withRemoveButton
            // Mantine hides this button from the keyboard and from screen readers.
            removeButtonProps={{
              'aria-label': `Remove ${users?.get(id)?.name ?? 'member'}`,
              'aria-hidden': false,
              tabIndex: 0,
            }}
            onRemove={() => setIds(ids.filter((one) => one !== id))}
          >
            {users?.get(id)?.name ?? '…'}
          </Pill>
        ))}
      </Pill.Group>
      <UserSelect
        label="Add member"
        state="active"
        value={null}
        except={view.owner_id}
        onChange={(id) => id && setIds([...ids.filter((one) => one !== id), id])}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={isPending} onClick={save}>
          Save
        </Button>
      </DialogActions>
    </Dialog>
  )
}
