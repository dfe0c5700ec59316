import { Select, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { pages } from '../../../contract/shared/pages.ts'
import { api } from '../../client/api.ts'
import { say } from '../../ui/basics/notices.tsx'
import { Confirm, Dialog } from '../../ui/form/dialog.tsx'
import { DialogForm } from '../../ui/form/form.tsx'
import { rulesOf } from '../../ui/form/rules-of.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { type Dashboard, useDashboardsChanged } from './dashboard-api.ts'
import { OwnerSelect, RangeSelect } from './scope-select.tsx'

const sharings = [
  { value: 'private', label: 'Only I can see it' },
  { value: 'view', label: 'Everyone can view it' },
  { value: 'edit', label: 'Everyone can view and edit it' },
]

type Values = { name: string; sharing: string; range: string; owner: string }
type Settings = { name: string; sharing: Dashboard['sharing']; range: string | null; owner: string | null }

const asked = ({ name, sharing, range, owner }: Values): Settings => ({
  name,
  sharing: sharing as Dashboard['sharing'],
  range: range || null,
  owner: owner || null,
})

type Props = { of?: Dashboard; maySharing: boolean; onClose: () => void }

/** The name of a dashboard, who sees it, and what all of its widgets are about. Without `of`, a new one. */
export function SettingsDialog({ of: dashboard, maySharing, onClose }: Props) {
  const changed = useDashboardsChanged()
  const navigate = useNavigate()
  const { form, text, choice, values, change } = useForm({
    input: rulesOf(
      () => import('../../../contract/dashboards.ts'),
      ({ dashboards }) => dashboards.createDashboard.input,
    ),
    initial: {
      name: dashboard?.name ?? '',
      sharing: dashboard?.sharing ?? 'private',
      range: dashboard?.range ?? '',
      owner: dashboard?.owner ?? '',
    } as Values,
    ask: asked,
    send: ({ sharing, ...sent }: Settings) =>
      dashboard
        ? api.updateDashboard({ id: dashboard.id, ...sent, ...(maySharing && { sharing }) })
        : api.createDashboard({ ...sent, sharing }),
    onDone: async ({ id, name }) => {
      onClose()
      say(dashboard ? `“${name}” saved.` : `“${name}” created.`)
      await changed()
      if (!dashboard) await navigate({ to: pages.dashboard, search: { id } })
    },
    focusOnRefusal: 'name',
  })
  return (
    <Dialog title={dashboard ? 'Dashboard settings' : 'New dashboard'} onClose={onClose}>
      <DialogForm of={form} action={dashboard ? 'Save' : 'Create dashboard'} onCancel={onClose}>
        <TextInput label="Name" autoComplete="off" data-autofocus {...text('name')} />
        {maySharing && <Select label="Sharing" data={sharings} {...choice('sharing')} />}
        <RangeSelect
          label="Range"
          none="All time"
          value={values.range || null}
          onChange={(range) => change({ range: range ?? '' })}
        />
        <OwnerSelect
          label="Owner"
          none="Everyone"
          value={values.owner || null}
          onChange={(owner) => change({ owner: owner ?? '' })}
        />
      </DialogForm>
    </Dialog>
  )
}

export function DeleteDialog({ of: { id, name, sharing }, onClose }: { of: Dashboard; onClose: () => void }) {
  const changed = useDashboardsChanged()
  const navigate = useNavigate()
  return (
    <Confirm
      title={`Delete “${name}”?`}
      action="Delete dashboard"
      act={() => api.deleteDashboard({ id })}
      onDone={async () => {
        say(`“${name}” deleted.`)
        await navigate({ to: pages.dashboard, search: {} })
        await changed(id)
      }}
      onClose={onClose}
    >
      {sharing === 'private'
        ? 'Its widgets are deleted with it.'
        : 'It will be deleted for everyone, with its widgets.'}{' '}
      No records are deleted.
    </Confirm>
  )
}
