import { Button, Menu, UnstyledButton } from '@mantine/core'
import { Check, ChevronsUpDown, ListTree, Plus, Trash2 } from 'lucide-react'
import { memo } from 'react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { useSignedIn } from '../../../client/session.ts'
import { openCreate } from '../../../records/data/open-create.ts'
import { type ObjectShape, useSchema } from '../../../records/data/schema.ts'
import { ObjectIcon } from '../../../records/fields/object-icon.tsx'
import { lastList } from '../../../records/lists/list-search.ts'
import { ItemLink } from '../../../ui/basics/menu-links.tsx'
import css from './list.module.css'

/** The heading, with the way to the other objects and to what belongs to this one. */
export const ObjectTitle = memo(function ObjectTitle({ object }: { object: ObjectShape }) {
  const { may } = useSignedIn()
  const objects = useSchema().filter(({ rights }) => rights.read !== 'none')
  return (
    <div className={css.title}>
      <ObjectIcon of={object} tile={26} />
      <h1 tabIndex={-1}>{object.label_plural}</h1>
      <Menu position="bottom-start" width={220}>
        <Menu.Target>
          <UnstyledButton className={css.switch} aria-label="Other objects">
            <ChevronsUpDown size={15} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown aria-label="Objects">
          {objects.map(({ key, label_plural, icon, color }) => (
            <ItemLink
              key={key}
              to="/records/$object"
              params={{ object: key }}
              search={lastList(key)}
              leftSection={<ObjectIcon of={{ icon, color }} size={15} />}
              rightSection={key === object.key && <Check size={14} />}
            >
              {label_plural}
            </ItemLink>
          ))}
          <Menu.Divider />
          {may('objects.manage') && (
            <ItemLink
              to="/company/objects/$object"
              params={{ object: object.key }}
              leftSection={<ListTree size={14} />}
            >
              Fields of {inSentence(object.label_plural)}
            </ItemLink>
          )}
          <ItemLink to="/trash/$object" params={{ object: object.key }} leftSection={<Trash2 size={14} />}>
            Trash
          </ItemLink>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
})

export const NewButton = ({ object }: { object: ObjectShape }) => (
  <Button size="xs" leftSection={<Plus size={14} />} onClick={() => openCreate(object.key)}>
    New {inSentence(object.label)}
  </Button>
)
