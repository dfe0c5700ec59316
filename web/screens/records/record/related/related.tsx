import { Button, Menu } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { RecordShape } from '../../../../records/records-api.ts'
import { type ObjectShape, useSchema } from '../../../../records/schema.ts'
import { Part } from '../part.tsx'
import { Inward } from './inward.tsx'
import { Outward } from './outward.tsx'
import css from './related.module.css'
import { type Relation, relationKey, relationsOf } from './relations.ts'

/** Everything that this record is linked with, through its own fields and through those of others. */
export function Related({ object, record }: { object: ObjectShape; record: RecordShape }) {
  const relations = relationsOf(object, useSchema())
  const [asked, setAsked] = useState<string>()
  if (!relations.length) return null
  return (
    <Part title="Related" action={<AddMenu relations={relations} onAsk={setAsked} />}>
      <div className={css.groups}>
        {relations.map((relation) => {
          const key = relationKey(relation)
          const Group = relation.way === 'out' ? Outward : Inward
          return (
            <Group
              key={key === asked ? `${key} asked` : key}
              object={object}
              record={record}
              relation={relation}
              isAsked={key === asked}
              onDone={() => setAsked(undefined)}
            />
          )
        })}
      </div>
      <p className={css.none}>Nothing is linked yet. What leads here from other records shows by itself.</p>
    </Part>
  )
}

const AddMenu = ({ relations, onAsk }: { relations: Relation[]; onAsk: (key: string) => void }) => {
  const open = relations.filter(
    ({ way, field, other }) => !field.is_read_only && (way === 'out' || other?.rights.edit !== 'none'),
  )
  if (!open.length) return null
  return (
    <Menu position="bottom-end" width={240} returnFocus={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<Plus size={14} aria-hidden="true" />}
          aria-label="Link a record"
        >
          Link
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label="Link through">
        {open.map((relation) => (
          <Menu.Item key={relationKey(relation)} onClick={() => onAsk(relationKey(relation))}>
            {relation.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
