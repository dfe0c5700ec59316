import { Button } from '@mantine/core'
import type { ObjectRights } from '../../../../contract/access.ts'
import { others, type Right, withRight } from '../../../roles/roles.ts'
import { Cell, Row } from '../../../ui/table.tsx'
import { RightChoice } from './right-choice.tsx'
import css from './rights-matrix.module.css'

type Props = {
  object: string
  name: string
  note?: string
  rights: ObjectRights
  /** Nothing is set for this object: it has the rights of the other objects. */
  follows?: boolean
  onChange?: (rights: ObjectRights) => void
  onReset?: () => void
}

const columns: { right: Right; label: string }[] = [
  { right: 'read', label: 'Read' },
  { right: 'create', label: 'Create' },
  { right: 'edit', label: 'Edit' },
  { right: 'delete', label: 'Delete' },
]

export function RightsRow({ object, name, note, rights, follows = false, onChange, onReset }: Props) {
  const isRest = object === others
  return (
    <Row data-follows={follows || undefined} data-rest={isRest || undefined}>
      <Cell kind="object">
        <span className={css.object}>{name}</span>
        {note && <span className={css.note}>{note}</span>}
      </Cell>
      {columns.map(({ right, label }) => (
        <Cell key={right} kind={right} label={label}>
          <RightChoice
            label={`${label}: ${name}`}
            pale={follows}
            value={rights[right]}
            onChange={onChange && ((value) => onChange(withRight(rights, right, value)))}
          />
        </Cell>
      ))}
      {onChange && (
        <Cell kind="reset">
          {follows && (
            <Button
              className={css.change}
              variant="default"
              size="compact-sm"
              aria-label={`Change ${name}`}
              onClick={() => onChange(rights)}
            >
              Change
            </Button>
          )}
          {!isRest && !follows && (
            <Button variant="subtle" color="gray" size="compact-sm" aria-label={`Reset ${name}`} onClick={onReset}>
              Reset
            </Button>
          )}
        </Cell>
      )}
    </Row>
  )
}
