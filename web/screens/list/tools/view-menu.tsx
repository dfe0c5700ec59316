import { Switch, TextInput } from '@mantine/core'
import { Link2, Lock, Pencil, Pin, PinOff, Trash2, UserPlus, Users } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../../client/api.ts'
import { type NewView as Sent, useViewChange, type View } from '../../../records/lists/list-search.ts'
import { usePin } from '../../../records/lists/navigation.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Confirm, Dialog } from '../../../ui/form/dialog.tsx'
import { DialogForm } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { RowMenu } from '../../../ui/page/rows.tsx'
import { copyText } from '../../../ui/text/code.tsx'

/** Few open it, so the page does not load it. */
const ShareView = lazy(() => import('./share-view.tsx'))

/** `isOurs`: may be changed by this user. Others can pass it on. */
export function ViewMenu({ state, view, isOurs }: { state: ListState; view: View; isOurs: boolean }) {
  const [asked, setAsked] = useState<'rename' | 'share' | 'delete'>()
  const change = useViewChange(api.updateView)
  const remove = useViewChange(api.deleteView)
  const { isPinned, toggle } = usePin(view)
  const close = () => setAsked(undefined)
  const share = (is_shared: boolean) =>
    change.mutate(
      { id: view.id, is_shared },
      {
        onSuccess: () => say(is_shared ? 'Shared with the company.' : 'The view is no longer shared with the company.'),
        onError: (error) => complain('The view was not changed', error),
      },
    )
  const copy = async () => {
    const link = state.link()
    say((await copyText(link)) ? 'Link copied.' : `Copy it manually: ${link}`)
  }
  const pin = isPinned
    ? { label: 'Unpin from sidebar', icon: PinOff, open: toggle }
    : { label: 'Pin to sidebar', icon: Pin, open: toggle }
  const copyLink = { label: 'Copy link', icon: Link2, open: () => void copy() }
  return (
    <>
      <RowMenu
        of={view.name}
        actions={
          isOurs
            ? [
                { label: 'Rename', icon: Pencil, open: () => setAsked('rename') },
                pin,
                view.is_shared
                  ? { label: 'Make private', icon: Lock, open: () => share(false) }
                  : { label: 'Share with the company', icon: Users, open: () => share(true) },
                ...(view.is_mine && !view.is_shared
                  ? [{ label: 'Share with members', icon: UserPlus, open: () => setAsked('share') }]
                  : []),
                copyLink,
                { label: 'Delete', icon: Trash2, open: () => setAsked('delete') },
              ]
            : [pin, copyLink]
        }
      />
      {asked === 'rename' && <RenameView view={view} onClose={close} />}
      {asked === 'share' && (
        <Suspense>
          <ShareView view={view} onClose={close} />
        </Suspense>
      )}
      {asked === 'delete' && (
        <Confirm
          title="Delete this view?"
          action="Delete view"
          act={() => remove.mutateAsync({ id: view.id })}
          onDone={() => state.openView(undefined)}
          onClose={close}
        >
          “{view.name}” is deleted{view.is_shared ? ' for everyone' : ''}. Its records are kept.
        </Confirm>
      )}
    </>
  )
}

type Props = { content: Omit<Sent, 'name'>; onDone: (view: View) => void; onClose: () => void }

export function NewView({ content, onDone, onClose }: Props) {
  const { mutateAsync } = useViewChange(api.createView)
  const { form, text, checked } = useForm({
    input: rulesOf(
      () => import('../../../../contract/views.ts'),
      ({ views }) => views.createView.input,
    ),
    initial: { name: '', is_shared: false },
    ask: (entered) => ({ ...content, ...entered }),
    send: mutateAsync,
    onDone,
  })
  return (
    <Dialog title="Save as a view" onClose={onClose}>
      <DialogForm of={form} action="Save view" onCancel={onClose}>
        <TextInput label="Name" data-autofocus {...text('name')} />
        <Switch label="Share with the company" {...checked('is_shared')} />
      </DialogForm>
    </Dialog>
  )
}

function RenameView({ view, onClose }: { view: View; onClose: () => void }) {
  const { mutateAsync } = useViewChange(api.updateView)
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../../../contract/views.ts'),
      ({ views }) => views.updateView.input,
    ),
    initial: { name: view.name },
    ask: ({ name }) => ({ id: view.id, name }),
    send: mutateAsync,
    onDone: () => {
      onClose()
      say('View renamed.')
    },
  })
  return (
    <Dialog title="Rename view" onClose={onClose}>
      <DialogForm of={form} action="Rename" onCancel={onClose}>
        <TextInput label="Name" data-autofocus {...text('name')} />
      </DialogForm>
    </Dialog>
  )
}
