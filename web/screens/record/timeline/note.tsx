import { Button } from '@mantine/core'
import { Pencil, Reply, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useUnsaved } from '../../../client/unsaved.ts'
import { MarkdownView } from '../../../markdown/markdown-view.tsx'
import { NoteEditor } from '../../../markdown/note-editor.tsx'
import css from '../../../markdown/notes.module.css'
import { useBuiltIn } from '../../../records/data/built-in.ts'
import { useKept } from '../../../records/data/kept.ts'
import {
  idOf,
  type RecordShape,
  relatedIn,
  useDeleteRecords,
  useUpdateRecord,
} from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import { type ObjectShape, useObject } from '../../../records/data/schema.ts'
import { isEmpty } from '../../../records/data/value-text.ts'
import { RecordFiles } from '../../../records/files/record-files.tsx'
import { wordsOf } from '../../../ui/basics/errors.ts'
import { Part } from '../../../ui/basics/layout.tsx'
import { RowMenu } from '../../../ui/page/rows.tsx'
import { TimelineEntry } from '../../../ui/page/timeline.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { useUser } from '../../../users/users.ts'
import { NewNote } from './composer.tsx'
import entries from './entries.module.css'
import { Through, UserFace } from './entries.tsx'
import type { RecordItem } from './use-timeline.ts'

type Props = {
  of: RecordItem
  /** The record whose timeline this is. */
  about: RecordShape
  /** The first one first. */
  replies: RecordItem[]
}

/** A note and the replies to it. */
export function Note({ of: { object, record: note, at, through }, about, replies }: Props) {
  const notes = useObject(object)
  const { actions, editor } = useNoteActions(notes, note)
  const [isReplying, setReplying] = useState(false)
  const mayReply = notes?.rights.create && notes.byKey.has('reply_to')
  const all = [...(mayReply ? [{ label: 'Reply', icon: Reply, open: () => setReplying(true) }] : []), ...actions]
  return (
    <TimelineEntry
      icon={<UserFace id={note.created_by} />}
      at={at}
      head={
        <>
          <AuthorName id={note.created_by} />
          <Through of={through} />
        </>
      }
      actions={all.length > 0 && !editor && <RowMenu of={nameOf(note)} actions={all} />}
    >
      {editor ?? <Clamped text={String(note.body ?? '')} />}
      <RecordFiles object={notes} record={note} />
      {replies.length > 0 && (
        <ul className={entries.replies} aria-label="Replies">
          {replies.map(({ record }) => (
            <NoteReply key={record.id} notes={notes} note={record} />
          ))}
        </ul>
      )}
      {isReplying && (
        <NewNote about={idOfFirst(note.about) ?? about.id} replyTo={note.id} isAsked onEnd={() => setReplying(false)} />
      )}
    </TimelineEntry>
  )
}

function NoteReply({ notes, note }: { notes: ObjectShape | undefined; note: RecordShape }) {
  const { actions, editor } = useNoteActions(notes, note)
  return (
    <li className={entries.reply}>
      <div className={entries.replyHead}>
        <UserFace id={note.created_by} size={20} />
        <AuthorName id={note.created_by} />
        <span className={entries.ago}>
          <Ago at={String(note.created_at)} />
        </span>
        {actions.length > 0 && !editor && <RowMenu of={nameOf(note)} actions={actions} />}
      </div>
      {editor ?? <Clamped text={String(note.body ?? '')} />}
      <RecordFiles object={notes} record={note} />
    </li>
  )
}

const nameOf = (note: RecordShape) => `the note “${String(note.title).slice(0, 40)}”`
const idOfFirst = (about: unknown) => relatedIn(about).map(idOf)[0]

/** What no user wrote, such as a second submission of a form, is by Kith. */
const AuthorName = ({ id }: { id: unknown }) =>
  isEmpty(id) ? <bdi className={css.author}>Unknown author</bdi> : <UserName id={String(id)} />

function UserName({ id }: { id: string }) {
  const user = useUser(id)
  return <bdi className={css.author}>{user === undefined ? '…' : (user?.name ?? 'Unknown user')}</bdi>
}

function useNoteActions(notes: ObjectShape | undefined, note: RecordShape) {
  const { mayEdit, mayDelete } = useRights(notes)
  const { begin, editor } = useNoteEdit(note)
  const { mutate: remove } = useDeleteRecords(notes?.key ?? 'notes', () => 'Note moved to the trash.')
  const actions = [
    ...(mayEdit(note) ? [{ label: 'Edit', icon: Pencil, open: begin }] : []),
    ...(mayDelete(note) ? [{ label: 'Delete', icon: Trash2, open: () => remove([note.id]) }] : []),
  ]
  return { actions, editor }
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
  const { mutateAsync, isPending } = useUpdateRecord(useBuiltIn('notes')?.key ?? 'notes', {
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
    <Button variant="subtle" color="gray" size="compact-sm" leftSection={<Pencil size={13} />} onClick={begin}>
      Edit note
    </Button>
  )
  return (
    <Part title="Note" action={edit}>
      {editor ?? <MarkdownView text={String(note.body ?? '')} />}
    </Part>
  )
}
