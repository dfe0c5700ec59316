import { Checkbox, VisuallyHidden } from '@mantine/core'
import { useId, useState } from 'react'
import { asDay, asFull } from '../../ui/moments.ts'
import { Cell, Head, Row, Table } from '../../ui/table.tsx'
import css from './key-list.module.css'
import { KeyMenu } from './key-menu.tsx'
import { KeyNotes } from './key-notes.tsx'
import { KeyToolbar } from './key-toolbar.tsx'
import type { Key } from './keys.ts'
import { LastUse } from './last-use.tsx'
import type { OpenDialog } from './open-dialog.ts'
import { Prefix } from './prefix.tsx'

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
      <Table label="Your keys" className={css.table} head={columns}>
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

function KeyRow({ of: key, all, picked, onPick, open }: RowProps) {
  const prefixId = useId()
  return (
    <Row data-picked={picked || undefined}>
      <Cell kind="select">
        <Checkbox
          aria-label={key.name}
          aria-describedby={prefixId}
          checked={picked}
          onChange={(event) => onPick(event.currentTarget.checked)}
          classNames={{ root: css.checkbox, body: css.target }}
        />
      </Cell>
      <Cell kind="name">
        <span className={css.name}>
          <bdi>{key.name}</bdi> <Prefix of={key} id={prefixId} />
        </span>
        <KeyNotes of={key} all={all} />
      </Cell>
      <Cell kind="created" label="Created">
        <time dateTime={key.created_at} title={asFull(key.created_at)}>
          {asDay(key.created_at)}
        </time>
      </Cell>
      <Cell kind="used" label="Last used">
        <LastUse of={key} />
      </Cell>
      <Cell kind="calls" label="Calls, 7 days">
        {key.calls_7_days.toLocaleString()}
      </Cell>
      <Cell kind="menu">
        <KeyMenu
          name={key.name}
          onRename={() => open({ kind: 'rename', key })}
          onRotate={() => open({ kind: 'add', replaces: key })}
        />
      </Cell>
    </Row>
  )
}
