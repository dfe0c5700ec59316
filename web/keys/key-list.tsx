import { VisuallyHidden } from '@mantine/core'
import { Pencil, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { asNumber } from '../ui/numbers.ts'
import { RowMenu } from '../ui/row-menu.tsx'
import { Cell, Head, Row, Table } from '../ui/table.tsx'
import { KeyDates, KeyName, keyTable } from './key-cells.tsx'
import css from './key-list.module.css'
import { KeyNotes } from './key-notes.tsx'
import { KeyToolbar } from './key-toolbar.tsx'
import type { Key } from './keys.ts'
import type { OpenDialog } from './open-dialog.ts'

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
      <Table label="Your keys" className={`${keyTable} ${css.table}`} head={columns}>
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            of={key}
            all={keys}
            picked={picked.includes(key.id)}
            onPick={(on) => pick(on ? [...picked, key.id] : picked.filter((id) => id !== key.id))}
            open={open}
          />
        ))}
      </Table>
    </>
  )
}

const columns = (
  <>
    <Head>
      <VisuallyHidden>Select</VisuallyHidden>
    </Head>
    <Head>Name</Head>
    <Head>Created</Head>
    <Head>Last used</Head>
    <Head>Calls, 7 days</Head>
    <Head>
      <VisuallyHidden>Actions</VisuallyHidden>
    </Head>
  </>
)

type RowProps = Pick<Props, 'open'> & { of: Key; all: Key[]; picked: boolean; onPick: (on: boolean) => void }

const KeyRow = ({ of: key, all, picked, onPick, open }: RowProps) => (
  <Row data-picked={picked || undefined}>
    <KeyName of={key} picked={picked} onPick={onPick}>
      <KeyNotes of={key} all={all} />
    </KeyName>
    <KeyDates of={key} />
    <Cell kind="calls" label="Calls, 7 days">
      {asNumber(key.calls_7_days)}
    </Cell>
    <Cell kind="menu">
      <RowMenu
        of={key.name}
        actions={[
          { label: 'Rename', icon: Pencil, open: () => open({ kind: 'rename', key }) },
          { label: 'Rotate', icon: RefreshCw, open: () => open({ kind: 'add', replaces: key }) },
        ]}
      />
    </Cell>
  </Row>
)
