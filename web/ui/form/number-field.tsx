import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { asNumberField, readNumberField, stepped } from '../text/numbers.ts'
import css from './form.module.css'

type Props = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'min' | 'max'> & {
  /** Text is only ever '': none. NaN: what was typed is not a number. */
  value: number | string
  onChange: (value: number | '') => void
  /** Stands behind the number, such as "days". */
  unit?: string
  /** For the keypad of a phone: no decimals. */
  isWhole?: boolean
  /** How far the arrow keys go. The contract says what may be saved. */
  min?: number
  max?: number
}

/**
 * A number as the user's language writes it. What someone types stays as it is until the field is left; what is not a
 * number is handed on as NaN, which no operation accepts.
 */
export function NumberField({ value, onChange, unit, isWhole = false, min, max, error, ...props }: Props) {
  const [typed, setTyped] = useState<string>()
  const [isLeft, setLeft] = useState(false)
  const isFault = typed !== undefined && Number.isNaN(readNumberField(typed))
  // Set from elsewhere, such as by "Discard changes".
  const isReplaced = isFault && Number.isFinite(Number(value))
  const text = typed === undefined || isReplaced ? asNumberField(value) : typed
  const write = (next: string) => {
    setTyped(next)
    onChange(readNumberField(next))
  }
  return (
    <TextInput
      autoComplete="off"
      {...props}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      value={text}
      error={error || (isFault && isLeft && !isReplaced && 'Enter a number')}
      {...(unit && {
        rightSection: <span className={css.unit}>{unit}</span>,
        rightSectionWidth: `calc(${unit.length}ch + 20px)`,
        rightSectionPointerEvents: 'none',
      })}
      onChange={(event) => {
        setLeft(false)
        write(event.currentTarget.value)
      }}
      onBlur={(event) => {
        props.onBlur?.(event)
        setLeft(true)
        if (!isFault) setTyped(undefined)
      }}
      onKeyDown={(event) => {
        props.onKeyDown?.(event)
        const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
        if (!by) return
        event.preventDefault()
        write(asNumberField(stepped(readNumberField(text), by, min, max)))
      }}
    />
  )
}
