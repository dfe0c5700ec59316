import { TextInput } from '@mantine/core'
import { useState } from 'react'

type Props = { value: string; onChange: (text: string) => void; onDone: () => void }

export function SearchForm({ value, onChange, onDone }: Props) {
  const [typed, setTyped] = useState(value)
  return (
    <TextInput
      data-autofocus
      label="Words anywhere in the record"
      placeholder="acme berlin"
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange(currentTarget.value)
      }}
      onKeyDown={(event) => event.key === 'Enter' && onDone()}
    />
  )
}
