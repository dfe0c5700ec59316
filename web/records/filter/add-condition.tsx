import { Button, Popover } from '@mantine/core'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Scope } from '../../../contract/filter/index.ts'
import css from './chip.module.css'
import { formPopover } from './form-popover.ts'
import { PickField } from './pick-list.tsx'
import type { Subject } from './tree.ts'

type Props = {
  scope: Scope
  label: string
  startsOpen?: boolean
  onPick: (subject: Subject) => void
  onSearch: (text: string) => void
  onLeft?: () => void
}

/** The first step to a condition: the field. */
export function AddCondition({ scope, label, startsOpen = false, onPick, onSearch, onLeft }: Props) {
  const [opened, setOpened] = useState(startsOpen)
  const button = useRef<HTMLButtonElement>(null)
  const leave = () => {
    setOpened(false)
    button.current?.focus()
    onLeft?.()
  }
  return (
    <Popover opened={opened} onChange={(next) => !next && leave()} {...formPopover}>
      <Popover.Target>
        <Button
          ref={button}
          data-add
          variant="subtle"
          color="gray"
          c="dimmed"
          fw={500}
          size="compact-sm"
          h={28}
          leftSection={<Plus size={14} />}
          onClick={opened ? leave : () => setOpened(true)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={css.form} aria-label="Choose a field">
        <PickField
          scope={scope}
          onPick={(subject) => {
            setOpened(false)
            onPick(subject)
          }}
          onSearch={(text) => {
            setOpened(false)
            button.current?.focus()
            onSearch(text)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
