import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { asDay, asFull } from '../../../ui/moments.ts'
import { Cell, Row } from '../../../ui/table.tsx'
import { LastUse } from '../../api-connectors/last-use.tsx'
import { Prefix } from '../../api-connectors/prefix.tsx'
import { memberPage } from '../sections.ts'
import type { CompanyKey } from './company-keys.ts'
import css from './keys.module.css'

type Props = { of: CompanyKey; owned: boolean; picked: boolean; onPick: (on: boolean) => void }

export function KeyRow({ of: key, owned, picked, onPick }: Props) {
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
      </Cell>
      {owned && (
        <Cell kind="owner" label="Owner">
          <Link to={memberPage} params={{ id: key.user_id }} className={css.owner}>
            <bdi>{key.user_name}</bdi>
          </Link>
        </Cell>
      )}
      <Cell kind="created" label="Created">
        <time dateTime={key.created_at} title={asFull(key.created_at)}>
          {asDay(key.created_at)}
        </time>
      </Cell>
      <Cell kind="used" label="Last used">
        <LastUse of={key} />
      </Cell>
    </Row>
  )
}
