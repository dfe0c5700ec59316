import { Input, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../client/api.ts'
import { ConversationFilter } from '../../../conversations/filter.tsx'
import { type InboxView, viewsQuery } from '../../../conversations/inbox.ts'
import { Confirm, Dialog } from '../../../ui/form/dialog.tsx'
import { DialogForm } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'

function useViewsChanged() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: viewsQuery.queryKey })
}

type SaveProps = { filter: string | undefined; onDone: (view: InboxView) => void; onClose: () => void }

export function SaveView({ filter, onDone, onClose }: SaveProps) {
  const changed = useViewsChanged()
  const { form, text, checked } = useForm({
    input: rulesOf(
      () => import('../../../../contract/inbox-views.ts'),
      ({ inboxViews }) => inboxViews.createInboxView.input,
    ),
    initial: { name: '', is_shared: false },
    ask: (entered) => ({ ...entered, filter: filter ?? null }),
    send: api.createInboxView,
    onDone: async (view) => {
      onClose()
      await changed()
      onDone(view)
    },
    isGuarded: false,
  })
  return (
    <Dialog title="Save as a view" onClose={onClose}>
      <DialogForm of={form} about="Saves the current filter of the list." action="Save view" onCancel={onClose}>
        <TextInput label="Name" autoComplete="off" data-autofocus {...text('name')} />
        <Switch label="Share with the company" {...checked('is_shared')} />
      </DialogForm>
    </Dialog>
  )
}

export function EditView({ view, onClose }: { view: InboxView; onClose: () => void }) {
  const changed = useViewsChanged()
  const { form, values, change, text, checked, errors } = useForm({
    input: rulesOf(
      () => import('../../../../contract/inbox-views.ts'),
      ({ inboxViews }) => inboxViews.updateInboxView.input,
    ),
    initial: { name: view.name, filter: view.filter ?? '', is_shared: view.is_shared },
    ask: ({ filter, ...entered }) => ({ id: view.id, ...entered, filter: filter.trim() || null }),
    send: api.updateInboxView,
    onDone: () => {
      onClose()
      return changed()
    },
  })
  return (
    <Dialog title="Edit view" size={520} tall onClose={onClose}>
      <DialogForm of={form} action="Save view" onCancel={onClose}>
        <TextInput label="Name" autoComplete="off" data-autofocus {...text('name')} />
        <Input.Wrapper label="Shows conversations with" labelElement="div" error={errors.filter}>
          <ConversationFilter value={values.filter} onChange={(filter) => change({ filter })} />
        </Input.Wrapper>
        <Switch label="Share with the company" {...checked('is_shared')} />
      </DialogForm>
    </Dialog>
  )
}

export function DeleteView({ view, onDone, onClose }: { view: InboxView; onDone: () => void; onClose: () => void }) {
  const changed = useViewsChanged()
  return (
    <Confirm
      title="Delete this view?"
      action="Delete view"
      act={() => api.deleteInboxView({ id: view.id })}
      onDone={() => {
        onDone()
        return changed()
      }}
      onClose={onClose}
    >
      “{view.name}” is deleted{view.is_shared ? ' for everyone' : ''}. Its conversations are kept.
    </Confirm>
  )
}
