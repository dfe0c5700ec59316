import { Textarea } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { FormFailure } from '../../../../ui/form-failure.tsx'
import { EditorActions } from './editor-actions.tsx'
import type { EditorProps } from './note-editor.tsx'
import css from './notes.module.css'

/** The Markdown itself, for notes that the rich-text editor could not hold. */
export function PlainEditor(props: EditorProps) {
  const { label, saved = '', initial, failure, isPending, isFocused, onChange, onSave, onCancel } = props
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave(initial)
    if (event.key !== 'Escape') return
    event.stopPropagation()
    if (initial.trim() === saved.trim()) onCancel()
  }
  return (
    <div className={css.editor}>
      <FormFailure>{failure}</FormFailure>
      <Textarea
        aria-label={label}
        rows={16}
        dir="auto"
        autoFocus={isFocused}
        value={initial}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={press}
      />
      <EditorActions
        isPending={isPending}
        isEmpty={initial.trim() === ''}
        onCancel={onCancel}
        onSave={() => onSave(initial)}
      />
    </div>
  )
}
