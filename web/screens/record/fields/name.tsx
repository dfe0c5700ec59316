import { Popover } from '@mantine/core'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { RecordShape } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { EditInPlace } from './edit-in-place.tsx'
import css from './name.module.css'

/** The fields that make up the title of a record. */
export function nameParts(object: ObjectShape): FieldShape[] {
  if (object.titleField) return [object.titleField]
  return ['first_name', 'last_name'].flatMap((key) => object.byKey.get(key) ?? [])
}

type Props = { object: ObjectShape; record: RecordShape; as: 'h1' | 'h2' }

/** What the record is called; those who may can change it right there. */
export function RecordName({ object, record, as: Heading }: Props) {
  const [isOpen, setOpen] = useState(false)
  const parts = nameParts(object).filter(({ is_read_only }) => !is_read_only)
  const mayEdit = useRights(object).mayEdit(record) && parts.length > 0
  return (
    <div className={css.name}>
      <Heading tabIndex={-1} className={css.title} dir="auto">
        {String(record.title)}
      </Heading>
      {mayEdit && (
        <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus width={320} shadow="md">
          <Popover.Target>
            <IconButton
              icon={Pencil}
              label="Edit name"
              size={28}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            />
          </Popover.Target>
          <Popover.Dropdown>
            <dl className={css.parts} data-field-list aria-label="Name">
              {parts.map((field) => (
                <div key={field.key}>
                  <dt>{field.label}</dt>
                  <dd>
                    <EditInPlace object={object} record={record} field={field} isFixed={false} />
                  </dd>
                </div>
              ))}
            </dl>
          </Popover.Dropdown>
        </Popover>
      )}
    </div>
  )
}
