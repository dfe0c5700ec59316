import { Link } from '@tanstack/react-router'
import { memberPage } from '../../../client/areas.ts'
import { KeyDates, KeyName } from '../../../keys/key-cells.tsx'
import { Cell, Row } from '../../../ui/table.tsx'
import type { CompanyKey } from './company-keys.ts'
import css from './keys.module.css'

type Props = { of: CompanyKey; owned: boolean; picked: boolean; onPick: (on: boolean) => void }

export const KeyRow = ({ of: key, owned, picked, onPick }: Props) => (
  <Row data-picked={picked || undefined}>
    <KeyName of={key} picked={picked} onPick={onPick} />
    {owned && (
      <Cell kind="owner" label="Owner">
        <Link to={memberPage} params={{ id: key.user_id }} className={css.owner}>
          <bdi>{key.user_name}</bdi>
        </Link>
      </Cell>
    )}
    <KeyDates of={key} />
  </Row>
)
