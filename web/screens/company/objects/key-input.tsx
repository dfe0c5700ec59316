import { TextInput } from '@mantine/core'

type Props = { value: string; error?: string; onChange: (key: string) => void }

export const KeyInput = ({ value, error, onChange }: Props) => (
  <TextInput
    label="Key"
    description="For filters, programs and agents. It never changes."
    autoComplete="off"
    spellCheck={false}
    ff="monospace"
    value={value}
    error={error}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
