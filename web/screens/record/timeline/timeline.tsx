import { UnstyledButton } from '@mantine/core'
import { History } from 'lucide-react'
import { ChangeEntry } from '../../../history/change-entry.tsx'
import { UndoDialog, useUndo } from '../../../history/undo.tsx'
import type { RecordShape } from '../../../records/data/records-api.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { TimelineDays } from '../../../ui/page/timeline.tsx'
import { useAboutObjects } from '../related/relations.ts'
import { type AskedFor, Composer, type Composing } from './composer.tsx'
import { ActivityEntry, MessageEntry, SendingEntry, TaskEntry } from './entries.tsx'
import { NextSteps } from './next-steps.tsx'
import { Note } from './note.tsx'
import css from './timeline.module.css'
import { type RecordItem, type TimelineItem, type TimelineKind, useTimeline } from './use-timeline.ts'

type Props = {
  object: ObjectShape
  record: RecordShape
  only: TimelineKind | undefined
  onOnly: (kind: TimelineKind | undefined) => void
  asked: AskedFor | undefined
  onAsk: (what: Composing) => void
}

/** What to do next, what to add, and everything that happened with this record and those that link to it. */
export function Timeline({ object, record, only, onOnly, asked, onAsk }: Props) {
  const whole = useTimeline(object.key, record.id)
  const query = useTimeline(object.key, record.id, only)
  const undo = useUndo()
  const none = (
    <Message icon={History} title={only ? `No ${words[only]} yet` : 'No activity yet'}>
      Notes, calls, meetings, messages, completed tasks and changes appear here.
    </Message>
  )
  return (
    <div className={css.timeline}>
      <NextSteps steps={whole.data?.pages[0]?.next_steps ?? []} />
      <Composer object={object} record={record} asked={asked} onAsk={onAsk} />
      <Kinds object={object} only={only} onOnly={onOnly} />
      <LoadedList query={query} what="the timeline" height={240} empty={none}>
        {(items) => {
          const replies = Map.groupBy(items.filter(isReply), ({ record }) => parentOf(record)!)
          const shown = items.filter((item) => !isReply(item) || !hasParent(items, item))
          return (
            <TimelineDays items={shown} label="Timeline">
              {(item) =>
                item.kind === 'change' ? (
                  <ChangeEntry key={item.change_set.id} of={item.change_set} record_id={record.id} undo={undo} />
                ) : item.kind === 'sending' ? (
                  <SendingEntry key={item.id} of={item} />
                ) : item.kind === 'message' ? (
                  <MessageEntry key={item.id} of={item} />
                ) : (
                  <RecordEntry key={item.record.id} of={item} about={record} replies={replies.get(item.record.id)} />
                )
              }
            </TimelineDays>
          )
        }}
      </LoadedList>
      {undo.question && <UndoDialog of={undo.question} onClose={() => undo.ask(undefined)} />}
    </div>
  )
}

type EntryProps = { of: RecordItem; about: RecordShape; replies: RecordItem[] | undefined }

function RecordEntry({ of: item, about, replies = [] }: EntryProps) {
  if (item.kind === 'activity') return <ActivityEntry of={item} />
  if (item.kind === 'task') return <TaskEntry of={item} />
  return <Note of={item} about={about} replies={replies.toReversed()} />
}

/** Replies stand below their note, if that is loaded. */
const parentOf = (record: RecordShape) => (record.reply_to as { id: string } | null | undefined)?.id
const isReply = (item: TimelineItem): item is RecordItem => item.kind === 'note' && parentOf(item.record) !== undefined
const hasParent = (items: TimelineItem[], { record }: RecordItem) =>
  items.some((item) => 'record' in item && item.record.id === parentOf(record))

const words: Record<TimelineKind, string> = {
  note: 'notes',
  activity: 'activities',
  task: 'completed tasks',
  change: 'changes',
  sending: 'times that it was sent',
  message: 'messages',
}
const labels: Record<TimelineKind, string> = {
  note: 'Notes',
  activity: 'Activities',
  task: 'Tasks',
  change: 'Changes',
  sending: 'Sending',
  message: 'Messages',
}

function Kinds({ object, only, onOnly }: Pick<Props, 'object' | 'only' | 'onOnly'>) {
  const { notes, activities, tasks } = useAboutObjects(object)
  const kinds: TimelineKind[] = [
    ...(notes ? ['note' as const] : []),
    ...(activities ? ['activity' as const] : []),
    ...(tasks ? ['task' as const] : []),
    ...(notes || activities || tasks ? ['message' as const] : []),
    'change',
  ]
  if (kinds.length < 2) return null
  return (
    <fieldset className={css.kinds} aria-label="Show in the timeline">
      {[undefined, ...kinds].map((kind) => (
        <UnstyledButton
          key={kind ?? 'all'}
          className={css.kind}
          aria-pressed={kind === only}
          onClick={() => onOnly(kind)}
        >
          {kind ? labels[kind] : 'All'}
        </UnstyledButton>
      ))}
    </fieldset>
  )
}
