import { Button } from '@mantine/core'
import { Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useUnsaved } from '../../../../client/unsaved.ts'
import { UserName } from '../../../../records/field-value.tsx'
import { useKept } from '../../../../records/kept.ts'
import { type RecordShape, useDeleteRecords, useUpdateRecord } from '../../../../records/records-api.ts'
import type { ObjectShape } from '../../../../records/schema.ts'
import { Ago } from '../../../../ui/ago.tsx'
import { wordsOf } from '../../../../ui/form-errors.ts'
import { Panel, Part } from '../../../../ui/layout.tsx'
import { RowMenu } from '../../../../ui/rows.tsx'
import { useRights } from '../rights.ts'
import { MarkdownView } from './markdown-view.tsx'
import { NoteEditor } from './note-editor.tsx'
import css from './notes.module.css'

type Props = { notes: ObjectShape; note: RecordShape }

export function Note({ notes, note }: Props) {
  const { mayEdit, mayDelete } = useRights(notes)
  const { begin, editor } = useNoteEdit(note)
  const { mutate: remove } = useDeleteRecords('notes', () => 'Note moved to the trash.')
  const actions = [
    ...(mayEdit(note) ? [{ label: 'Edit', icon: Pencil, open: begin }] : []),
    ...(mayDelete(note) ? [{ label: 'Delete', icon: Trash2, open: () => remove([note.id]) }] : []),
  ]
  return (
    <Panel as="li" padded>
      <div className={css.noteHead}>
        {typeof note.created_by === 'string' && <UserName id={note.created_by} />}
        <span className={css.when}>
          <Ago at={String(note.created_at)} />
        </span>
        {actions.length > 0 && !editor && (
          <RowMenu of={`the note “${String(note.title).slice(0, 40)}”`} actions={actions} />
        )}
      </div>
      {editor ?? <Clamped text={String(note.body ?? '')} />}
    </Panel>
  )
}

/** `version`: of the note as it was when editing began. */
type Begun = { body: string; version: number | undefined }

/** What was begun is there again when one comes back. */
function useNoteEdit(note: RecordShape) {
  const [begun, keep] = useKept<Begun | null>(`edit ${note.id}`, null)
  const [isAsked, setAsked] = useState(false)
  const begin = () => {
    setAsked(true)
    keep({ body: String(note.body ?? ''), version: note.version })
  }
  const editor = begun && (
    <EditNote
      note={note}
      begun={begun}
      isFocused={isAsked}
      onChange={(body) => keep({ ...begun, body })}
      onEnd={() => keep(undefined)}
    />
  )
  return { begin, editor }
}

type EditProps = {
  note: RecordShape
  begun: Begun
  isFocused: boolean
  onChange: (body: string) => void
  onEnd: () => void
}

/** Closes when it is saved; what is refused stays in the editor. */
function EditNote({ note, begun, isFocused, onChange, onEnd }: EditProps) {
  const [failure, setFailure] = useState<string>()
  const tell = useUnsaved({ isKept: true })
  const { mutateAsync, isPending } = useUpdateRecord('notes', {
    said: () => 'Note changed.',
    isAnnounced: true,
    onRefused: (error) => setFailure(wordsOf(error)),
  })
  const before = String(note.body ?? '')
  useEffect(() => tell(begun.body !== before))
  const save = async (body: string) => {
    setFailure(undefined)
    if (body !== before)
      await mutateAsync({ id: note.id, values: { body }, version: begun.version }).then(onEnd, () => {})
    else onEnd()
  }
  return (
    <NoteEditor
      label="Note"
      saved={before}
      initial={begun.body}
      failure={failure}
      isPending={isPending}
      isFocused={isFocused}
      onChange={onChange}
      onSave={save}
      onCancel={onEnd}
    />
  )
}

const longest = 320

/** A long note shows its beginning. */
function Clamped({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [isLong, setLong] = useState(false)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    const inner = box.current?.firstElementChild
    if (!inner) return
    const watch = new ResizeObserver(() => setLong((box.current?.scrollHeight ?? 0) > longest + 40))
    watch.observe(inner)
    return () => watch.disconnect()
  }, [])
  return (
    <>
      <div ref={box} className={css.clamp} data-clamped={(isLong && !isWhole) || undefined}>
        <div>
          <MarkdownView text={text} />
        </div>
      </div>
      {isLong && !isWhole && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setWhole(true)}>
          Show more
        </Button>
      )}
    </>
  )
}

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
