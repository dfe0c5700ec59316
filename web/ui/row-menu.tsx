import { ActionIcon, Menu } from '@mantine/core'
import { Ellipsis, type LucideIcon } from 'lucide-react'
import { useRef } from 'react'

type Action = { label: string; icon: LucideIcon; open: () => void }

/** What can be done with one thing of a list, each in a dialog of its own. */
export function RowMenu({ of: name, actions }: { of: string; actions: Action[] }) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Menu position="bottom-end" width={160}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size={30} aria-label={`Actions for ${name}`}>
          <Ellipsis size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${name}`}>
        {actions.map(({ label, icon: Icon, open }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size={14} aria-hidden="true" />}
            onClick={() => {
              // The item goes away with the menu; a dialog that closes leads back to the button.
              button.current?.focus()
              open()
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
