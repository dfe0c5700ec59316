import { Popover, Tooltip } from '@mantine/core'
import { type LucideIcon, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import css from './chip.module.css'
import { FilterText } from './filter-text.tsx'
import { formPopover } from './form-popover.ts'

export type ChipAction = { label: string; icon: LucideIcon; run: () => void }

type Props = {
  field: string
  words: string
  value: ReactNode
  isNot: boolean
  isNew: boolean
  actions: ChipAction[]
  onOpen: () => void
  onClose: () => void
  onRemove: () => void
  /** The form; it is given what closes it. */
  children: (done: () => void) => ReactNode
}

/** A condition at a glance, and its form a click away. */
export function Chip({ field, words, value, isNot, isNew, actions, onOpen, onClose, onRemove, children }: Props) {
  const [opened, setOpened] = useState(isNew)
  const button = useRef<HTMLButtonElement>(null)
  const open = () => {
    onOpen()
    setOpened(true)
  }
  const close = () => {
    setOpened(false)
    onClose()
    button.current?.focus()
  }
  const run = (action: ChipAction) => {
    setOpened(false)
    onClose()
    action.run()
  }
  return (
    <span className={css.chip} data-opened={opened || undefined}>
      <Popover opened={opened} onChange={(next) => !next && close()} {...formPopover}>
        <Popover.Target>
          <button
            ref={button}
            type="button"
            className={css.condition}
            onClick={opened ? close : open}
            onKeyDown={(event) => removesBy(event) && onRemove()}
          >
            {isNot && <span className={css.not}>not </span>}
            <span className={css.field}>{field}</span> <span className={css.words}>{words}</span>{' '}
            <span className={css.value}>{value}</span>
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={`Filter by ${field}`} className={css.form}>
          {children(close)}
          {!isNew && (
            <div className={css.actions}>
              {actions.map((action) => (
                <button key={action.label} type="button" onClick={() => run(action)}>
                  <action.icon size={13} />
                  {action.label}
                </button>
              ))}
            </div>
          )}
        </Popover.Dropdown>
      </Popover>
      <RemoveButton what={field} onRemove={onRemove} />
    </span>
  )
}

const removesBy = ({ key }: KeyboardEvent) => key === 'Delete' || key === 'Backspace'

const RemoveButton = ({ what, onRemove }: { what: string; onRemove: () => void }) => (
  <button type="button" className={css.remove} aria-label={`Remove filter: ${what}`} onClick={onRemove}>
    <X size={13} />
  </button>
)

type TextChipProps = {
  text: string
  words: string | undefined
  isNot: boolean
  onOpen: () => void
  onRemove: () => void
}

/** What has no form, in words, or as it is written. It opens the text. */
export const TextChip = ({ text, words, isNot, onOpen, onRemove }: TextChipProps) => (
  <span className={css.chip}>
    <Tooltip label="Edit as text">
      <button type="button" className={css.condition} onClick={onOpen}>
        {isNot && <span className={css.not}>not </span>}
        {words ? <span className={css.value}>{words}</span> : <FilterText text={text} />}
      </button>
    </Tooltip>
    <RemoveButton what={text} onRemove={onRemove} />
  </span>
)
