import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CheckCheck, Mail, MapPin, MessageCircle, NotebookPen, Phone, Send, Trash2, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { nameOrAddress } from '../../../../contract/shared/visitor-address.ts'
import { abilitiesOf, channelsQuery } from '../../../channels/channels.ts'
import { useDeleteRecords } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import { useObject } from '../../../records/data/schema.ts'
import { isEmpty, optionOf } from '../../../records/data/value-text.ts'
import { FieldValue, TitleChip, UserName } from '../../../records/fields/field-value.tsx'
import { RecordFiles } from '../../../records/files/record-files.tsx'
import { Initials } from '../../../ui/basics/avatar.tsx'
import { RowMenu } from '../../../ui/page/rows.tsx'
import { TimelineEntry } from '../../../ui/page/timeline.tsx'
import { useUser } from '../../../users/users.ts'
import css from './entries.module.css'
import type { RecordItem, TimelineItem } from './use-timeline.ts'

const icons = { call: Phone, meeting: Users, email: Mail, visit: MapPin } as const

export function ActivityIcon({ kind }: { kind: unknown }) {
  const Icon = icons[kind as keyof typeof icons] ?? NotebookPen
  return <Icon size={14} />
}

/** A call, a meeting, an email that was logged. */
export function ActivityEntry({ of: { object: key, record, at, through } }: { of: RecordItem }) {
  const activities = useObject(key)
  const { mayDelete } = useRights(activities)
  const { mutate: remove } = useDeleteRecords(key, () => 'Moved to the trash.')
  const field = (key: string) => activities?.byKey.get(key)
  const kind = field('kind')
  const people = field('people')
  const name = (kind && optionOf(kind, record.kind)?.label) ?? String(record.kind)
  return (
    <TimelineEntry
      icon={<ActivityIcon kind={record.kind} />}
      at={at}
      head={
        <>
          <Link to="/records/$object/$id" params={{ object: key, id: record.id }} className={css.kind}>
            {name}
          </Link>
          {typeof record.outcome === 'string' && <span dir="auto">{record.outcome}</span>}
          <Through of={through} />
        </>
      }
      actions={
        mayDelete(record) && (
          <RowMenu
            of={`the ${inSentence(name)}`}
            actions={[{ label: 'Delete', icon: Trash2, open: () => remove([record.id]) }]}
          />
        )
      }
    >
      {typeof record.body === 'string' && (
        <p className={css.body} dir="auto">
          {record.body}
        </p>
      )}
      <RecordFiles object={activities} record={record} />
      <div className={css.small}>
        {typeof record.created_by === 'string' && <UserName id={record.created_by} />}
        {typeof record.duration === 'number' && <span>{record.duration} min</span>}
        {people && !isEmpty(record.people) && (
          <span className={css.with}>
            with <FieldValue field={people} value={record.people} />
          </span>
        )}
      </div>
    </TimelineEntry>
  )
}

/** A task that was completed. */
export const TaskEntry = ({ of: { object, record, at, through } }: { of: RecordItem }) => (
  <TimelineEntry
    tone="quiet"
    icon={<CheckCheck size={15} />}
    at={at}
    head={
      <>
        Task completed:
        <Link to="/records/$object/$id" params={{ object, id: record.id }} className={css.kind}>
          <span dir="auto">{String(record.title)}</span>
        </Link>
        <Through of={through} />
      </>
    }
  />
)

/** A lead that was passed on, in words. */
export const SendingEntry = ({ of: { at, lines } }: { of: Extract<TimelineItem, { kind: 'sending' }> }) => (
  <TimelineEntry tone="quiet" icon={<Send size={15} />} at={at} head="Lead sending">
    {lines.map(({ at, text }) => (
      <p key={`${at} ${text}`} className={css.line} dir="auto">
        {text}
      </p>
    ))}
  </TimelineEntry>
)

/** A message of a conversation about the record. One without a subject is named for its channel. */
export function MessageEntry({ of: item }: { of: Extract<TimelineItem, { kind: 'message' }> }) {
  const { data: channels } = useQuery({ ...channelsQuery, enabled: !item.subject })
  const channel = channels?.find(({ id }) => id === item.channel_id)
  const isChat = channel !== undefined && !abilitiesOf(channel).subject
  return (
    <TimelineEntry
      icon={isChat ? <MessageCircle size={14} /> : <Mail size={14} />}
      at={item.at}
      head={
        <>
          <span dir="auto">
            {item.user_id ? (
              <UserName id={item.user_id} />
            ) : (
              (nameOrAddress(item.from_name, item.from_address) ?? 'Unknown sender')
            )}
          </span>
          {doneWith(item, isChat)}
          <Link to="/inbox/$id" params={{ id: item.conversation_id }} className={css.kind}>
            <span dir="auto">{item.subject || (isChat ? channel.name : 'No subject')}</span>
          </Link>
        </>
      }
    >
      {item.preview && (
        <p className={css.body} dir="auto">
          {item.preview}
        </p>
      )}
    </TimelineEntry>
  )
}

function doneWith({ direction, state }: Extract<TimelineItem, { kind: 'message' }>, isChat: boolean) {
  if (direction === 'out' && state === 'failed') return isChat ? 'could not send a message via' : 'could not send'
  if (isChat) return 'wrote via'
  return direction === 'in' ? 'wrote' : 'sent'
}

/** The related record that it is about. */
export const Through = ({ of }: { of: RecordItem['through'] }): ReactNode =>
  of && (
    <span className={css.through}>
      on <TitleChip titled={of} />
    </span>
  )

/** The face of a user; dots until it is known. */
export function UserFace({ id, size = 28 }: { id: unknown; size?: number }) {
  return isEmpty(id) ? <Initials name="Kith" size={size} /> : <KnownFace id={String(id)} size={size} />
}

function KnownFace({ id, size }: { id: string; size: number }) {
  const user = useUser(id)
  return <Initials name={user?.name ?? '…'} pictureId={user?.picture_id} size={size} />
}
