import { Menu, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Check, ChevronsUpDown } from 'lucide-react'
import { type ObjectShape, useSchema } from '../../../records/schema.ts'
import css from './list.module.css'
import { lastList } from './remembered.ts'

/** The heading, with the way to the other objects. */
export function ObjectTitle({ object }: { object: ObjectShape }) {
  const objects = useSchema().filter(({ rights }) => rights.read !== 'none')
  return (
    <div className={css.title}>
      <h1 tabIndex={-1}>{object.label_plural}</h1>
      <Menu position="bottom-start" width={220}>
        <Menu.Target>
          <UnstyledButton className={css.switch} aria-label="Other kinds of records">
            <ChevronsUpDown size={15} aria-hidden="true" />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown aria-label="Kinds of records">
          {objects.map(({ key, label_plural }) => (
            <Menu.Item
              key={key}
              component={Link}
              to="/records/$object"
              params={{ object: key } as never}
              search={lastList(key) as never}
              rightSection={key === object.key && <Check size={14} aria-hidden="true" />}
            >
              {label_plural}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
