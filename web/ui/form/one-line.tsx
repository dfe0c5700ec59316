import { TextInput } from '@mantine/core'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { fieldErrors, wordsOf } from '../basics/errors.ts'
import css from './one-line.module.css'

type Props = {
  ref: RefObject<HTMLInputElement | null>
  label: string
  placeholder: string
  icon?: ReactNode
  value: string
  /** Why it was not saved. */
  error: unknown
  onChange: (text: string) => void
  onEnter: () => void
}

/** A line to write in, inside a frame with its button. Enter saves it; Escape leaves it when it is empty. */
export const OneLine = ({ ref, label, placeholder, icon, value, error, onChange, onEnter }: Props) => (
  <TextInput
    ref={ref}
    variant="unstyled"
    className={css.line}
    leftSection={icon}
    placeholder={placeholder}
    aria-label={label}
    autoComplete="off"
    dir="auto"
    value={value}
    error={error ? (Object.values(fieldErrors(error))[0] ?? wordsOf(error)) : undefined}
    onChange={(event) => onChange(event.currentTarget.value)}
    onKeyDown={(event) => press(event, value, onEnter)}
  />
)

function press(event: KeyboardEvent<HTMLInputElement>, value: string, onEnter: () => void) {
  if (event.key === 'Escape' && !value) event.currentTarget.blur()
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || !value.trim()) return
  event.preventDefault()
  onEnter()
}
