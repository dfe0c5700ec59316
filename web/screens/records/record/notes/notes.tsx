import { Button, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { NotebookPen } from 'lucide-react'
import { useState } from 'react'
import { useKept } from '../../../../records/kept.ts'
import { countQuery, pageSize, type RecordShape, useCreateRecord } from '../../../../records/records-api.ts'
import type { ObjectShape } from '../../../../records/schema.ts'
import { saidAndUndoable } from '../../../../records/undo.tsx'
import { wordsOf } from '../../../../ui/form-errors.ts'
import { Part } from '../../../../ui/layout.tsx'
import { Loaded, LoadMore } from '../../../../ui/loaded.tsx'
import { asNumber } from '../../../../ui/numbers.ts'
import { useAbout } from '../related/relations.ts'
import { Note } from './note.tsx'
import { NoteEditor } from './note-editor.tsx'
import css from './notes.module.css'

type Props = { object: ObjectShape; notes: ObjectShape; record: RecordShape }

const shownAtFirst = 3

/** Notes about this record, newest first. */
export function Notes({ object, notes, record }: Props) {
  const [isWhole, setWhole] = useState(false)
  const limit = isWhole ? pageSize : shownAtFirst
  const { query, records: shown, filter } = useAbout(notes, object, record.id, { limit })
  const { data: counted } = useQuery({ ...countQuery({ object: notes.key, filter }), enabled: query.hasNextPage })
  const more = counted && `${asNumber(counted.count)}${counted.is_exact ? '' : '+'}`
  const count = query.hasNextPage ? more : shown.length || undefined
  return (
    <Part title="Notes" count={count}>
      {notes.rights.create && <NewNote about={record.id} />}
      <Loaded query={query} what="notes" small>
        {() =>
          shown.length > 0 && (
            <ul className={css.notes}>
              {shown.map((note) => (
                <Note key={note.id} notes={notes} note={note} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {!isWhole && query.hasNextPage && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setWhole(true)}>
          Show all {count ?? ''} notes
        </Button>
      )}
      {isWhole && !query.isPlaceholderData && <LoadMore of={query} size="compact-sm" />}
    </Part>
  )
}

/** A line that opens into an editor. What was begun is there again when one comes back. */
function NewNote({ about }: { about: string }) {
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
