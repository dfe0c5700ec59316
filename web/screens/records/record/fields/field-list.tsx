import { UnstyledButton } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { RecordShape } from '../../../../records/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../../records/schema.ts'
import { isEmpty } from '../../../../records/value-text.ts'
import { useRights } from '../rights.ts'
import { EditInPlace } from './edit-in-place.tsx'
import css from './fields.module.css'

type Props = { object: ObjectShape; record: RecordShape; isShort: boolean }

/** Where there is little room, empty fields after the first few wait behind a button, and so does who changed what when. */
const shownAnyway = 6

export function FieldList({ object, record, isShort }: Props) {
  const { mayEdit } = useRights(object)
  const [isWhole, setWhole] = useState(false)
  const all = fieldsOf(object)
  const isShown = ({ key, is_system, is_read_only }: FieldShape, index: number) =>
    index < shownAnyway || (!isEmpty(record[key]) && !(is_system && is_read_only))
  const shown = isWhole || !isShort ? all : all.filter(isShown)
  const hidden = all.length - shown.length
  return (
    <section aria-label="Fields" className={css.fields}>
      <dl data-field-list>
        {shown.map((field) => (
          <div key={field.key} className={css.row}>
            <dt title={field.description || undefined}>{field.label}</dt>
            <dd>
              <EditInPlace
                object={object}
                record={record}
                field={field}
                isFixed={field.is_read_only || !mayEdit(record)}
              />
            </dd>
          </div>
        ))}
      </dl>
      {hidden > 0 && (
        <UnstyledButton className={css.more} onClick={() => setWhole(true)}>
          <ChevronDown size={14} aria-hidden="true" />
          Show {hidden === 1 ? '1 more field' : `${hidden} more fields`}
        </UnstyledButton>
      )}
    </section>
  )
}

/** The text of a note is shown as the note that it is. */
const fieldsOf = (object: ObjectShape): FieldShape[] => {
  const title = object.titleField
  const others = object.columns.filter(({ key }) => key !== 'title' && key !== title?.key)
  const all = title ? [title, ...others] : others
  return object.key === 'notes' ? all.filter(({ key }) => key !== 'body') : all
}
