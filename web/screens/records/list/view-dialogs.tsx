import { Switch, TextInput } from '@mantine/core'
import { contract } from '../../../../contract/index.ts'
import { api } from '../../../client/api.ts'
import { type NewView as Sent, useViewChange, type View } from '../../../records/views.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import { useDraft } from '../../../ui/draft.ts'
import { say } from '../../../ui/notices.tsx'

type Props = { content: Omit<Sent, 'name'>; onDone: (view: View) => void; onClose: () => void }

export function NewView({ content, onDone, onClose }: Props) {
  const { mutateAsync } = useViewChange(api.createView)
  const { draft, values, change, text } = useDraft({
    input: contract.createView.input,
    initial: { name: '', is_shared: false },
    ask: (entered) => ({ ...content, ...entered }),
    send: mutateAsync,
    onDone,
  })
  return (
    <Dialog title="Save as a view" onClose={onClose}>
      <DialogForm of={asForm(draft)} action="Save view" onCancel={onClose}>
        <TextInput label="Name" data-autofocus {...text('name')} />
        <Switch
          label="Share with the company"
          checked={values.is_shared}
          onChange={(event) => change({ is_shared: event.currentTarget.checked })}
        />
      </DialogForm>
    </Dialog>
  )
}

export function RenameView({ view, onClose }: { view: View; onClose: () => void }) {
  const { mutateAsync } = useViewChange(api.updateView)
  const { draft, text } = useDraft({
    input: contract.updateView.input,
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
      <DialogForm of={asForm(draft)} action="Rename" onCancel={onClose}>
        <TextInput label="Name" data-autofocus {...text('name')} />
      </DialogForm>
    </Dialog>
  )
}

const asForm = ({
  submit,
  failure,
  isPending,
}: {
  submit: () => void
  failure: string | undefined
  isPending: boolean
}) => ({
  failure,
  isPending,
  submit: (event: { preventDefault: () => void }) => {
    event.preventDefault()
    submit()
  },
})
