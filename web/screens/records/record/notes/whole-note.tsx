import { Button } from '@mantine/core'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { RecordShape } from '../../../../records/records-api.ts'
import type { ObjectShape } from '../../../../records/schema.ts'
import { Part } from '../part.tsx'
import { useRights } from '../rights.ts'
import { NoteText } from './lazy.tsx'
import { EditNote } from './note.tsx'

/** On the page of a note itself. */
export function WholeNote({ notes, note }: { notes: ObjectShape; note: RecordShape }) {
  const [isEditing, setEditing] = useState(false)
  const { mayEdit } = useRights(notes)
  const edit = mayEdit(note) && !isEditing && (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<Pencil size={13} aria-hidden="true" />}
      onClick={() => setEditing(true)}
    >
      Edit note
    </Button>
  )
  return (
    <Part title="Note" action={edit}>
      {isEditing ? (
        <EditNote note={note} onEnd={() => setEditing(false)} />
      ) : (
        <NoteText text={String(note.body ?? '')} />
      )}
    </Part>
  )
}
