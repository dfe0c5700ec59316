import { Checkbox } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { asDay, asFull } from '../ui/moments.ts'
import { Cell } from '../ui/table.tsx'
import css from './key-cells.module.css'
import type { Key } from './keys.ts'
import { LastUse } from './last-use.tsx'
import { Prefix } from './prefix.tsx'

/** For every table of keys. */
export const keyTable = css.table

type Props = { of: Key; picked: boolean; onPick: (on: boolean) => void; children?: ReactNode }

/** Which key it is, and whether it is picked. */
export function KeyName({ of: key, picked, onPick, children }: Props) {
  const prefixId = useId()
  return (
    <>
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
        {children}
      </Cell>
    </>
  )
}

export const KeyDates = ({ of: key }: { of: Key }) => (
  <>
    <Cell kind="created" label="Created">
      <time dateTime={key.created_at} title={asFull(key.created_at)}>
        {asDay(key.created_at)}
      </time>
    </Cell>
    <Cell kind="used" label="Last used">
      <LastUse of={key} />
    </Cell>
  </>
)
