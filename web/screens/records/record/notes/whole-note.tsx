import { Button } from '@mantine/core'
import { Pencil } from 'lucide-react'
import type { RecordShape } from '../../../../records/records-api.ts'
import type { ObjectShape } from '../../../../records/schema.ts'
import { Part } from '../part.tsx'
import { useRights } from '../rights.ts'
import { MarkdownView } from './markdown-view.tsx'
import { useNoteEdit } from './note.tsx'

/** On the page of a note itself. */
export function WholeNote({ notes, note }: { notes: ObjectShape; note: RecordShape }) {
  const { begin, editor } = useNoteEdit(note)
  const { mayEdit } = useRights(notes)
  const edit = mayEdit(note) && !editor && (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<Pencil size={13} aria-hidden="true" />}
      onClick={begin}
    >
      Edit note
    </Button>
  )
  return (
    <Part title="Note" action={edit}>
      {editor ?? <MarkdownView text={String(note.body ?? '')} />}
    </Part>
  )
}
