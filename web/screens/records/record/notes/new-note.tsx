import { UnstyledButton } from '@mantine/core'
import { NotebookPen } from 'lucide-react'
import { useState } from 'react'
import { useCreateRecord } from '../../../../records/create-record.ts'
import { useKept } from '../../../../records/kept.ts'
import { saidAndUndoable } from '../../../../records/undo-toast.ts'
import { wordsOf } from '../../../../ui/form-errors.ts'
import { NoteEditor } from './note-editor.tsx'
import css from './notes.module.css'

/** A line that opens into an editor. What was begun is there again when one comes back. */
export function NewNote({ about }: { about: string }) {
  const [draft, keep] = useKept(`note ${about}`, '')
  const [isOpen, setOpen] = useState(draft !== '')
  const [isAsked, setAsked] = useState(false)
  const { mutate, isPending, error, reset } = useCreateRecord('notes', ({ change_set_id }) => {
    keep(undefined)
    saidAndUndoable('Note saved.', change_set_id)
  })
  const save = (body: string) => {
    if (!body.trim() || isPending) return
    mutate({ body, about: [about] }, { onSuccess: () => setOpen(false) })
  }
  if (!isOpen)
    return (
      <UnstyledButton
        className={css.begin}
        onClick={() => {
          setAsked(true)
          setOpen(true)
        }}
      >
        <NotebookPen size={15} aria-hidden="true" />
        Write a note
      </UnstyledButton>
    )
  return (
    <NoteEditor
      label="New note"
      initial={draft}
      failure={error ? wordsOf(error) : undefined}
      isPending={isPending}
      isFocused={isAsked}
      onChange={keep}
      onSave={save}
      onCancel={() => {
        keep(undefined)
        reset()
        setOpen(false)
      }}
    />
  )
}
