import { ActionIcon, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Download, Ellipsis, Upload } from 'lucide-react'
import { useRef } from 'react'
import { useSignedIn } from '../../../client/session.ts'
import type { ObjectShape } from '../../../records/schema.ts'

/** Import and export, for those who may. */
export function ListMenu({ object, onExport }: { object: ObjectShape; onExport: () => void }) {
  const { may } = useSignedIn()
  const navigate = useNavigate()
  const button = useRef<HTMLButtonElement>(null)
  const canExport = may('records.export')
  if (!object.rights.create && !canExport) return null
  return (
    <Menu position="bottom-end" width={170}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size={26} aria-label="Import and export">
          <Ellipsis size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label="Import and export">
        {object.rights.create && (
          <Menu.Item
            leftSection={<Upload size={14} aria-hidden="true" />}
            onClick={() => void navigate({ to: '/import/$object', params: { object: object.key } })}
          >
            Import…
          </Menu.Item>
        )}
        {canExport && (
          <Menu.Item
            leftSection={<Download size={14} aria-hidden="true" />}
            onClick={() => {
              // The item goes away with the menu; the dialog that closes leads back to the button.
              button.current?.focus()
              onExport()
            }}
          >
            Export…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
