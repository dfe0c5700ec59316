import { TextInput } from '@mantine/core'
import css from './field-form.module.css'

type Props = { value: string; error?: string; onChange: (key: string) => void }

export const KeyInput = ({ value, error, onChange }: Props) => (
  <TextInput
    label="Key"
    description="For filters, programs and agents. It never changes."
    autoComplete="off"
    spellCheck={false}
    classNames={{ input: css.code }}
    value={value}
    error={error}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
