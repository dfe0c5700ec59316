import { TextInput, type TextInputProps } from '@mantine/core'
import type { ChangeEvent } from 'react'
import css from './code-field.module.css'

type Props = Omit<TextInputProps, 'onChange'> & { onChange: (code: string) => void; isPending: boolean }

/** Six digits of an authenticator app; they are sent as soon as all are there, spaces or not. */
export function CodeField({ onChange, isPending, ...rest }: Props) {
  const change = ({ currentTarget: { value, form } }: ChangeEvent<HTMLInputElement>) => {
    const code = value.replace(/\s/g, '')
    onChange(code)
    if (!isPending && /^\d{6}$/.test(code)) form?.requestSubmit()
  }
  return (
    <TextInput
      label="Code"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={12}
      classNames={{ input: css.code }}
      {...rest}
      onChange={change}
    />
  )
}
