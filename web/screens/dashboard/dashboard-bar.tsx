import { ActionIcon, Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronDown, Ellipsis, LayoutGrid, Mail, Maximize, Plus, Settings2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { defaultDashboard } from '../../../contract/dashboards.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { notifications } from '../../client/areas.ts'
import { useSignedIn } from '../../client/session.ts'
import css from './dashboard.module.css'
import { type Dashboard, listQuery, type Summary } from './dashboard-api.ts'
import { DeleteDialog, SettingsDialog } from './dashboard-dialogs.tsx'

type Props = {
  of: Dashboard | undefined
  isArranging: boolean
  onArrange: (on: boolean) => void
  onAdd: () => void
  onFull: () => void
}

/** Other dashboards, and what can be done with this one. */
export function DashboardBar({ of: dashboard, isArranging, onArrange, onAdd, onFull }: Props) {
  const { me } = useSignedIn()
  const [open, setOpen] = useState<'new' | 'settings' | 'delete'>()
  const close = () => setOpen(undefined)
  const isOwn = dashboard !== undefined && dashboard.id !== defaultDashboard
  const maySharing = !isOwn || dashboard.is_mine || me.is_admin
  return (
    <>
      <Switcher now={dashboard} onNew={() => setOpen('new')} />
      {dashboard?.may_edit && (
        <Button variant="default" leftSection={<Plus size={15} />} onClick={onAdd}>
          Add widget
        </Button>
      )}
      {dashboard?.may_edit && dashboard.widgets.length > 0 && (
        <Button
          variant={isArranging ? 'filled' : 'default'}
          leftSection={<LayoutGrid size={15} />}
          onClick={() => onArrange(!isArranging)}
        >
          {isArranging ? 'Done' : 'Arrange'}
        </Button>
      )}
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} className={css.tool} aria-label="Dashboard options">
            <Ellipsis size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Maximize size={14} />} onClick={onFull}>
            Full screen
          </Menu.Item>
          {!isOwn && (
            <Menu.Item component={Link} to={notifications} leftSection={<Mail size={14} />}>
              Weekly email
            </Menu.Item>
          )}
          {isOwn && dashboard.may_edit && (
            <Menu.Item leftSection={<Settings2 size={14} />} onClick={() => setOpen('settings')}>
              Settings
            </Menu.Item>
          )}
          {isOwn && maySharing && (
            <Menu.Item leftSection={<Trash2 size={14} />} onClick={() => setOpen('delete')}>
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'new' && <SettingsDialog maySharing onClose={close} />}
      {open === 'settings' && dashboard && <SettingsDialog of={dashboard} maySharing={maySharing} onClose={close} />}
      {open === 'delete' && dashboard && <DeleteDialog of={dashboard} onClose={close} />}
    </>
  )
}

function Switcher({ now, onNew }: { now: Dashboard | undefined; onNew: () => void }) {
  const navigate = useNavigate()
  const { data = [] } = useQuery(listQuery)
  const first = data.filter(({ id }) => id === defaultDashboard)
  const mine = data.filter(({ is_mine }) => is_mine)
  const shared = data.filter(({ is_mine, id }) => !is_mine && id !== defaultDashboard)
  const items = (list: Summary[]) =>
    list.map(({ id, name }) => (
      <Menu.Item
        key={id}
        aria-current={id === now?.id ? 'page' : undefined}
        onClick={() => void navigate({ to: pages.dashboard, search: id === defaultDashboard ? {} : { id } })}
      >
        <bdi>{name}</bdi>
      </Menu.Item>
    ))
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDown size={14} />}>
          Dashboards
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} className={css.switcher}>
        {items(first)}
        {mine.length > 0 && <Menu.Label>Mine</Menu.Label>}
        {items(mine)}
        {shared.length > 0 && <Menu.Label>Shared with me</Menu.Label>}
        {items(shared)}
        <Menu.Divider />
        <Menu.Item leftSection={<Plus size={14} />} onClick={onNew}>
          New dashboard
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
