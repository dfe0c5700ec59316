import { Button, UnstyledButton } from '@mantine/core'
import {
  CalendarClock,
  CircleCheck,
  type LucideIcon,
  Mail,
  MailCheck,
  NotebookPen,
  Paperclip,
  Phone,
  PhoneCall,
  Users,
  X,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { loadEditor, NoteEditor } from '../../../markdown/note-editor.tsx'
import { builtInField, useBuiltIn } from '../../../records/data/built-in.ts'
import { useKept } from '../../../records/data/kept.ts'
import {
  idOf,
  type RecordShape,
  type Related,
  relatedIn,
  titledIn,
  useCreateRecord,
} from '../../../records/data/records-api.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { saidAndUndoable } from '../../../records/data/undo.ts'
import { FieldEditor } from '../../../records/fields/field-editor.tsx'
import { ChooseFiles, FileList } from '../../../records/files/file-list.tsx'
import fileCss from '../../../records/files/files.module.css'
import { type FileValue, refusesTooLarge } from '../../../records/files/files.ts'
import { wordsOf } from '../../../ui/basics/errors.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { OneLine } from '../../../ui/form/one-line.tsx'
import { useUploads } from '../../../ui/form/uploads.tsx'
import { asMinute } from '../../../ui/text/moments.ts'
import { type AboutObjects, useAboutObjects } from '../related/relations.ts'
import css from './composer.module.css'
import { NewTask } from './new-task.tsx'

export type Composing = 'note' | 'call' | 'meeting' | 'email' | 'task'
/** `count` is raised whenever someone asks for it, also for what is chosen already. */
export type AskedFor = { what: Composing; count: number }

/** `log`: what its button is called beside one that calls or writes, with an icon of its own. */
type Entry = {
  name: string
  icon: LucideIcon
  of: keyof AboutObjects
  prompt?: string
  log?: string
  logIcon?: LucideIcon
}

export const composing: Record<Composing, Entry> = {
  note: { name: 'Note', icon: NotebookPen, of: 'notes' },
  call: {
    name: 'Call',
    icon: Phone,
    of: 'activities',
    prompt: 'What was the outcome of the call?',
    log: 'Log call',
    logIcon: PhoneCall,
  },
  meeting: {
    name: 'Meeting',
    icon: Users,
    of: 'activities',
    prompt: 'What was the outcome of the meeting?',
    log: 'Log meeting',
  },
  email: {
    name: 'Email',
    icon: Mail,
    of: 'activities',
    prompt: 'What was the email about?',
    log: 'Log email',
    logIcon: MailCheck,
  },
  task: { name: 'Task', icon: CircleCheck, of: 'tasks' },
}

/** What this user may add to this record. */
export function useComposing(object: ObjectShape) {
  const about = useAboutObjects(object)
  return (Object.keys(composing) as Composing[]).filter((what) => {
    const target = about[composing[what].of]
    const kind = target?.byKey.get('kind')
    return target?.rights.create && (!kind || kind.options?.some(({ key }) => key === what))
  })
}

type Props = { object: ObjectShape; record: RecordShape; asked: AskedFor | undefined; onAsk: (what: Composing) => void }

/** Adds to the timeline: a call in one line, a note with formatting, a task with its date. */
export function Composer({ object, record, asked, onAsk }: Props) {
  useEffect(loadEditor, [])
  const choices = useComposing(object)
  const about = useAboutObjects(object)
  const what = asked && choices.includes(asked.what) ? asked.what : choices[0]
  if (!what) return null
  const { of } = composing[what]
  const isAsked = asked !== undefined && asked.count > 0
  return (
    <section className={css.composer} aria-label="Add to the timeline">
      <fieldset className={css.choices} aria-label="What to add">
        {choices.map((one) => {
          const { name, icon: Icon } = composing[one]
          return (
            <UnstyledButton key={one} className={css.choice} aria-pressed={one === what} onClick={() => onAsk(one)}>
              <Icon size={14} />
              {name}
            </UnstyledButton>
          )
        })}
      </fieldset>
      {what === 'note' ? (
        <NewNote key={`note ${asked?.count}`} about={record.id} isAsked={isAsked} />
      ) : what === 'task' ? (
        <NewTask key={`task ${asked?.count}`} tasks={about[of]!} record={record} isAsked={isAsked} />
      ) : (
        <div>
          <NewActivity
            key={`${what} ${asked?.count}`}
            activities={about[of]!}
            record={record}
            kind={what}
            isAsked={isAsked}
          />
        </div>
      )}
    </section>
  )
}

type NewNoteProps = { about: string; isAsked: boolean; replyTo?: string; onEnd?: () => void }

/** A line that opens into an editor. What was begun is there again when one comes back. */
export function NewNote({ about, isAsked, replyTo, onEnd }: NewNoteProps) {
  const [draft, keep] = useKept(`note ${replyTo ?? about}`, '')
  const [files, keepFiles] = useKept<FileValue[]>(`note files ${replyTo ?? about}`, [])
  const notes = useBuiltIn('notes')
  const field = notes && builtInField(notes, 'files')
  const [isOpen, setOpen] = useState(draft !== '' || isAsked)
  const [isFocused, setFocused] = useState(isAsked)
  const { mutate, isPending, error, reset } = useCreateRecord(notes?.key ?? 'notes', ({ record, change_set_id }) => {
    keep(undefined)
    keepFiles(undefined)
    saidAndUndoable(replyTo ? 'Reply saved.' : 'Note saved.', change_set_id, [record.id])
  })
  const end = () => {
    setOpen(false)
    onEnd?.()
  }
  const added = useRef(files)
  added.current = files
  const put = (next: FileValue[]) => {
    added.current = next
    keepFiles(next)
  }
  const uploads = useUploads({
    purpose: 'record',
    onUploaded: (more) => put([...added.current, ...more]),
    refuses: refusesTooLarge,
    isOff: !field,
  })
  const save = (body: string) => {
    if (!body.trim() || isPending) return
    const added = field && files.length > 0 && { [field.key]: files }
    mutate({ body, about: [about], ...(replyTo && { reply_to: replyTo }), ...added }, { onSuccess: end })
  }
  if (!isOpen)
    return (
      <UnstyledButton
        className={css.begin}
        onClick={() => {
          setFocused(true)
          setOpen(true)
        }}
      >
        Write a note
      </UnstyledButton>
    )
  const editor = (
    <NoteEditor
      label={replyTo ? 'Reply' : 'New note'}
      initial={draft}
      failure={error ? wordsOf(error) : undefined}
      isPending={isPending || uploads.isUploading}
      isFocused={isFocused}
      onChange={keep}
      onSave={save}
      onCancel={() => {
        keep(undefined)
        keepFiles(undefined)
        reset()
        end()
      }}
      files={
        <FileList
          label="Files of the note"
          files={files}
          uploads={uploads.uploads}
          onRemove={({ id }) => put(files.filter((one) => one.id !== id))}
        />
      }
      attach={
        field && (
          <ChooseFiles label="Files of the note" onFiles={uploads.add}>
            {(choose) => <IconButton icon={Paperclip} label="Add files" size={28} onClick={choose} />}
          </ChooseFiles>
        )
      }
    />
  )
  return (
    <div className={fileCss.place} data-over={uploads.isOver || undefined} {...uploads.drop}>
      {editor}
    </div>
  )
}

/** `without`: people of the record who did not take part. */
type Draft = { outcome: string; at: string | null; without?: string[] }
const blank: Draft = { outcome: '', at: null }
type NewActivityProps = {
  activities: ObjectShape
  record: RecordShape
  kind: Exclude<Composing, 'note' | 'task'>
  isAsked: boolean
}

/** One line: what came of it, Enter. It happened just now unless another time is chosen. */
function NewActivity({ activities, record, kind, isAsked }: NewActivityProps) {
  const [draft, keep] = useKept<Draft>(`${kind} ${record.id}`, blank)
  const [isChoosing, setChoosing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { prompt, log, name } = composing[kind]
  const { mutate, isPending, error, reset } = useCreateRecord(activities.key, ({ record, change_set_id }) => {
    keep(undefined)
    saidAndUndoable(`${name} logged.`, change_set_id, [record.id])
  })
  useEffect(() => {
    if (isAsked) input.current?.focus()
  }, [isAsked])
  const people = peopleOf(activities, record).filter((one) => !draft.without?.includes(idOf(one)))
  const save = () => {
    if (isPending) return
    const outcome = draft.outcome.trim()
    const values = { kind, about: [record.id], ...(outcome && { outcome }), ...(draft.at && { at: draft.at }) }
    mutate(
      { ...values, ...(people.length && { people: people.map(idOf) }) },
      { onSuccess: () => input.current?.focus() },
    )
  }
  const at = activities.byKey.get('at')
  return (
    <>
      <div className={css.line}>
        <OneLine
          ref={input}
          label={prompt!}
          placeholder={prompt!}
          value={draft.outcome}
          error={error}
          onEnter={save}
          onChange={(outcome) => {
            reset()
            keep({ ...draft, outcome })
          }}
        />
        {at && isChoosing && (
          <div className={css.when}>
            <FieldEditor
              variant="cell"
              autoFocus
              field={at}
              value={draft.at ?? new Date().toISOString()}
              onChange={(at) => keep({ ...draft, at: at as string | null })}
              onCommit={() => {
                setChoosing(false)
                input.current?.focus()
              }}
              onCancel={() => setChoosing(false)}
            />
          </div>
        )}
        {at && !isChoosing && draft.at && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setChoosing(true)}>
            {asMinute(draft.at)}
          </Button>
        )}
        {at && !isChoosing && !draft.at && (
          <IconButton
            icon={CalendarClock}
            label="Choose another time"
            size={28}
            title="Happened now. Change time"
            onClick={() => setChoosing(true)}
          />
        )}
        <Button size="compact-sm" loading={isPending} onClick={save}>
          {log}
        </Button>
      </div>
      <With
        people={people}
        onRemove={(id) => {
          keep({ ...draft, without: [...(draft.without ?? []), id] })
          input.current?.focus()
        }}
      />
    </>
  )
}

/** The people of a deal took part, unless they are taken out. */
const peopleOf = (activities: ObjectShape, record: RecordShape) =>
  activities.byKey.has('people') ? relatedIn(record.people) : []

function With({ people, onRemove }: { people: Related[]; onRemove: (id: string) => void }) {
  const field = useBuiltIn('activities')?.byKey.get('people')
  if (!people.length || !field) return null
  return (
    <ul className={css.with} aria-label="With">
      <li aria-hidden="true">With</li>
      {people.map((one) => {
        const title = titledIn(one, field)?.title ?? 'Someone'
        return (
          <li key={idOf(one)} className={css.person}>
            <bdi>{title}</bdi>
            <IconButton
              icon={X}
              label={`Without ${title}`}
              size={24}
              variant="transparent"
              onClick={() => onRemove(idOf(one))}
            />
          </li>
        )
      })}
    </ul>
  )
}
