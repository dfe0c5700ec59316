import { Link2, Lock, Pencil, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useViewChange, type View } from '../../../records/views.ts'
import { Confirm } from '../../../ui/confirm.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import { complain, say } from '../../../ui/notices.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import type { ListState } from './use-list-state.ts'
import { RenameView } from './view-dialogs.tsx'

export function ViewMenu({ state, view }: { state: ListState; view: View }) {
  const [asked, setAsked] = useState<'rename' | 'delete'>()
  const change = useViewChange(api.updateView)
  const remove = useViewChange(api.deleteView)
  const close = () => setAsked(undefined)
  const share = (is_shared: boolean) =>
    change.mutate(
      { id: view.id, is_shared },
      {
        onSuccess: () => say(is_shared ? 'Shared with the company.' : 'Only you see this view now.'),
        onError: (error) => complain('The view was not changed', error),
      },
    )
  const copy = async () => {
    const link = state.link()
    say((await copyText(link)) ? 'Link copied.' : `Copy it by hand: ${link}`)
  }
  return (
    <>
      <RowMenu
        of={view.name}
        actions={[
          { label: 'Rename', icon: Pencil, open: () => setAsked('rename') },
          view.is_shared
            ? { label: 'Keep for myself', icon: Lock, open: () => share(false) }
            : { label: 'Share', icon: Users, open: () => share(true) },
          { label: 'Copy link', icon: Link2, open: () => void copy() },
          { label: 'Delete', icon: Trash2, open: () => setAsked('delete') },
        ]}
      />
      {asked === 'rename' && <RenameView view={view} onClose={close} />}
      {asked === 'delete' && (
        <Confirm
          title="Delete this view?"
          action="Delete view"
          act={() => remove.mutateAsync({ id: view.id })}
          onDone={() => state.openView(undefined)}
          onClose={close}
        >
          “{view.name}” is gone {view.is_shared ? 'for everybody' : 'for good'}. The records stay.
        </Confirm>
      )}
    </>
  )
}
