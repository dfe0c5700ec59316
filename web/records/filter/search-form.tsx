import { TextInput } from '@mantine/core'
import { useState } from 'react'

type Props = { text: string; onChange: (text: string) => void; onDone: () => void }

export function SearchForm({ text, onChange, onDone }: Props) {
  const [typed, setTyped] = useState(text)
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
