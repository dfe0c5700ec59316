import { TextInput } from '@mantine/core'
import { textOf } from '../value-text.ts'
import { type EditorProps, inputProps, selectUnlessTyped } from './editor.ts'

/** The field of a date until its calendar is there. */
export function WaitingDate({ onTyped, ...props }: EditorProps & { onTyped: (text: string) => void }) {
  const { field, value, typed, onChange } = props
  return (
    <TextInput
      {...inputProps(props)}
      aria-busy="true"
      autoComplete="off"
      defaultValue={typed ?? textOf(field, value)}
      onFocus={selectUnlessTyped(typed)}
      onChange={({ currentTarget: { value: text } }) => {
        onTyped(text)
        onChange(text.trim() || null)
      }}
    />
  )
}
