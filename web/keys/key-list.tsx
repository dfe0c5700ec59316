import { Button } from '@mantine/core'
import { ArrowRightLeft, CircleCheck, Pencil, Plus, RefreshCw, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { RowMenu } from '../ui/page/rows.tsx'
import { DataTable } from '../ui/page/table.tsx'
import { asNumber } from '../ui/text/numbers.ts'
import { dateColumns, keyTable, nameColumns, Prefix, RecentClients } from './key-cells.tsx'
import type { OpenDialog } from './key-dialogs.tsx'
import css from './key-list.module.css'
import { counted, type Key } from './keys.ts'

type Props = { keys: Key[]; open: (dialog: OpenDialog) => void }

/** On narrow screens the rows stack into cards. */
export function KeyList({ keys, open }: Props) {
  const [picked, pick] = useState<string[]>([])
  const selected = keys.filter(({ id }) => picked.includes(id))
  return (
    <>
      <KeyToolbar
        count={keys.length}
        selected={selected.length}
        onAdd={() => open({ kind: 'add' })}
        onDelete={() => open({ kind: 'delete', keys: selected, onDone: () => pick([]) })}
      />
      <DataTable
        label="Your keys"
        className={`${keyTable} ${css.table}`}
        columns={[
          ...nameColumns<Key>({ picked, pick }, (key) => <KeyNotes of={key} all={keys} />),
          ...dateColumns,
          { key: 'calls', label: 'Calls, 7 days', cell: ({ calls_7_days }) => asNumber(calls_7_days) },
          {
            key: 'menu',
            label: 'Actions',
            isQuiet: true,
            cell: (key) => (
              <RowMenu
                of={key.name}
                actions={[
                  { label: 'Rename', icon: Pencil, open: () => open({ kind: 'rename', key }) },
                  { label: 'Rotate', icon: RefreshCw, open: () => open({ kind: 'add', replaces: key }) },
                ]}
              />
            ),
          },
        ]}
        items={keys}
        row={({ id }) => ({ 'data-picked': picked.includes(id) || undefined })}
      />
    </>
  )
}

type KeyToolbarProps = { count: number; selected: number; onAdd?: () => void; onDelete: () => void }

export const KeyToolbar = ({ count, selected, onAdd, onDelete }: KeyToolbarProps) => (
  <div className={css.toolbar}>
    <span className={css.count} role="status">
      {selected ? `${selected} selected` : counted(count)}
    </span>
    <Button
      variant="default"
      className={css.delete}
      disabled={!selected}
      title={selected ? undefined : 'Select the keys to delete'}
      leftSection={<Trash2 size={14} />}
      onClick={onDelete}
    >
      Delete
    </Button>
    {onAdd && (
      <Button leftSection={<Plus size={15} />} onClick={onAdd}>
        Add
      </Button>
    )}
  </div>
)

/** How far a rotation has come, told at both of its keys. */
function KeyNotes({ of: key, all }: { of: Key; all: Key[] }) {
  const old = all.find(({ id }) => id === key.replaces_id)
  const successor = all.find(({ replaces_id }) => replaces_id === key.id)
  return (
    <>
      {old && (
        <p className={css.note}>
          <ArrowRightLeft size={13} />
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
        <TriangleAlert size={13} />
        <div>
          Still used by
          <RecentClients clients={key.recent_clients} />
          Switch them to <bdi>{to.name}</bdi> <Prefix of={to} />, then delete this key.
        </div>
      </div>
    )
  return (
    <p className={css.note} data-tone="ok">
      <CircleCheck size={13} />
      <span>No calls in the last 24 hours. Delete it once every client uses the new key.</span>
    </p>
  )
}
