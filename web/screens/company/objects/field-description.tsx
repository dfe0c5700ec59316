import { Textarea } from '@mantine/core'

type Props = { value: string; error: string | undefined; onChange: (description: string) => void }

export const FieldDescription = ({ value, error, onChange }: Props) => (
  <Textarea
    label="Description"
    description="What it is for, shown to people and told to agents. Optional."
    autosize
    minRows={1}
    maxRows={4}
    value={value}
    error={error}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
