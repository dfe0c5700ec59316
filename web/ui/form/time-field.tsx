import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { isHalfDay, readTime } from '../text/time-of-day.ts'

type Props = { label: string; value: string; onChange: (time: string) => void }

/** A time of day, such as 09:00. The browser's own field follows the language of the browser, which may use AM and PM. */
export function TimeField({ label, value, onChange }: Props) {
  const [typed, setTyped] = useState<string>()
  if (isHalfDay())
    return (
      <TextInput
        type="time"
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  return (
    <TextInput
      aria-label={label}
      inputMode="numeric"
      autoComplete="off"
      placeholder="09:00"
      maxLength={5}
      value={typed ?? value}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        const time = readTime(currentTarget.value)
        if (time) onChange(time)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
