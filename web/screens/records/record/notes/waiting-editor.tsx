import { Textarea } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import type { EditorProps } from './note-editor.tsx'
import css from './notes.module.css'

/** Until the editor is there: what is typed here is its first text. */
export function WaitingEditor({
  label,
  initial,
  saved = '',
  isFocused,
  isMissing,
  onFocus,
  onChange,
  onSave,
  onCancel,
}: EditorProps & { isMissing: boolean }) {
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { value } = event.currentTarget
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave(value)
    if (event.key !== 'Escape') return
    event.stopPropagation()
    if (value.trim() === saved.trim()) onCancel()
  }
  return (
    <Textarea
      className={css.editor}
      aria-label={label}
      aria-busy="true"
      description={
        isMissing && <span role="status">Formatting comes with the connection. What you write is kept.</span>
      }
      inputWrapperOrder={['input', 'description']}
      dir="auto"
      autosize
      minRows={6}
      autoFocus={isFocused}
      defaultValue={initial}
      onFocus={({ currentTarget: at }) => {
        at.setSelectionRange(at.value.length, at.value.length)
        onFocus()
      }}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={press}
    />
  )
}
