import { ActionIcon, Menu } from '@mantine/core'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useRef } from 'react'

type Props = { name: string; onRename: () => void; onDelete: () => void }

export function PasskeyMenu({ name, onRename, onDelete }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  // The item goes away with the menu; a dialog that closes leads back to the button.
  const from = (open: () => void) => () => {
    button.current?.focus()
    open()
  }
  return (
    <Menu position="bottom-end" width={160}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size={30} aria-label={`Actions for ${name}`}>
          <Ellipsis size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${name}`}>
        <Menu.Item leftSection={<Pencil size={14} aria-hidden="true" />} onClick={from(onRename)}>
          Rename
        </Menu.Item>
        <Menu.Item leftSection={<Trash2 size={14} aria-hidden="true" />} onClick={from(onDelete)}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
