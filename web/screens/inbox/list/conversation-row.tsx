import { Checkbox, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { AlarmClock, Bot, CalendarClock, CircleAlert, CornerUpLeft, Lock, Paperclip, PencilLine } from 'lucide-react'
import { memo } from 'react'
import { channelsQuery, isChat } from '../../../channels/channels.ts'
import { conversationPage } from '../../../client/areas.ts'
import { type Conversation, type Label, nameOf, nameOfOther, seedOf, subjectOf } from '../../../conversations/inbox.ts'
import { LabelBadge } from '../../../conversations/labels.tsx'
import { Initials } from '../../../ui/basics/avatar.tsx'
import { useFormats } from '../../../ui/text/formats.ts'
import { asFull, asNearMoment, asShortDay, asTime, dayOf } from '../../../ui/text/moments.ts'
import { useUser } from '../../../users/users.ts'
import { Due } from '../state/due.tsx'
import type { InboxSearch } from '../state/search.ts'
import css from './list.module.css'

type Props = {
  of: Conversation
  search: InboxSearch
  labels: Label[]
  isShown: boolean
  isSelected: boolean
  onSelect: (id: string, isRange: boolean) => void
}

export const rowId = (id: string) => `conversation-${id}`

export const ConversationRow = memo(({ of, search, labels, isShown, isSelected, onSelect }: Props) => {
  useFormats()
  const name = nameOfOther(of)
  const [first] = of.participants
  const { data: channels } = useQuery(channelsQuery)
  const isOfChat = isChat(of, channels)
  const dot = of.is_unread && <span className={css.dot} aria-hidden="true" />
  return (
    <div
      className={css.row}
      data-shown={isShown || undefined}
      data-unread={of.is_unread || undefined}
      data-selected={isSelected || undefined}
    >
      <div className={css.mark}>
        <span className={css.face}>
          <Initials name={first ? nameOf(first) : name} size={32} seed={seedOf(of.participants, first?.address)} />
        </span>
        <Checkbox
          className={css.check}
          size="xs"
          aria-label={`Select ${name}: ${subjectOf(of)}`}
          checked={isSelected}
          onChange={() => {}}
          onClick={(event) => onSelect(of.id, event.shiftKey)}
        />
      </div>
      <Link
        id={rowId(of.id)}
        to={conversationPage}
        params={{ id: of.id }}
        search={search}
        className={css.link}
        aria-current={isShown ? 'true' : undefined}
      >
        <span className={css.first}>
          {of.is_unread && <VisuallyHidden component="span">Unread: </VisuallyHidden>}
          <span className={css.name} dir="auto">
            {name}
          </span>
          {of.message_count > 1 && <span className={css.count}>{of.message_count}</span>}
          <time dateTime={of.last_message_at} title={asFull(of.last_message_at)}>
            {whenOf(of.last_message_at)}
          </time>
        </span>
        {!isOfChat && (
          <span className={css.subject} dir="auto">
            {dot}
            {subjectOf(of)}
          </span>
        )}
        <span className={css.third}>
          <span className={css.preview} data-alone={isOfChat || undefined} dir="auto">
            {isOfChat && dot}
            {of.last_direction === 'out' && !of.scheduled_at && (
              <CornerUpLeft size={12} role="img" aria-label="Your team wrote last" />
            )}
            {of.preview !== of.subject && of.preview}
          </span>
          <span className={css.end}>
            {channels && channels.length > 1 && <ChannelName of={channels.find(({ id }) => id === of.channel_id)} />}
            {of.is_private && <Lock size={12} role="img" aria-label="Only you" />}
            {of.has_files && <Paperclip size={12} role="img" aria-label="With files" />}
            {of.assignee_id && <Assignee id={of.assignee_id} />}
          </span>
        </span>
        <Marks of={of} labels={labels} />
      </Link>
    </div>
  )
})

const ChannelName = ({ of: channel }: { of: { name: string; address: string } | undefined }) =>
  channel && (
    <span className={css.channel} title={channel.address}>
      <VisuallyHidden component="span">in </VisuallyHidden>
      {channel.name}
    </span>
  )

function Marks({ of, labels }: { of: Conversation; labels: Label[] }) {
  const own = labels.filter(({ id }) => of.label_ids.includes(id))
  const isSnoozed = of.state === 'snoozed' && of.snoozed_until
  const isDue = of.response_due_at !== null || of.resolution_due_at !== null
  const isNotSent = of.has_failed || of.is_delayed
  if (!own.length && !of.has_draft && !of.has_proposal && !isNotSent && !isSnoozed && !of.scheduled_at && !isDue)
    return null
  return (
    <span className={css.marks}>
      <Due of={of} />
      {isNotSent && (
        <span className={css.notSent}>
          <CircleAlert size={12} /> {of.has_failed ? 'Not sent' : 'Not sent yet'}
        </span>
      )}
      {isSnoozed && (
        <span className={css.draft}>
          <AlarmClock size={12} /> {asNearMoment(of.snoozed_until!)}
        </span>
      )}
      {of.has_proposal && (
        <span className={css.draft}>
          <Bot size={12} /> To approve
        </span>
      )}
      {of.scheduled_at && (
        <span className={css.draft} title="Scheduled">
          <CalendarClock size={12} role="img" aria-label="Scheduled" /> {asNearMoment(of.scheduled_at)}
        </span>
      )}
      {of.has_draft && (
        <span className={css.draft}>
          <PencilLine size={12} /> Draft
        </span>
      )}
      {own.slice(0, 3).map((label) => (
        <LabelBadge key={label.id} of={label} />
      ))}
    </span>
  )
}

function Assignee({ id }: { id: string }) {
  const user = useUser(id)
  const name = user?.name ?? '…'
  return (
    <span className={css.assignee} title={`Assigned to ${name}`}>
      {user?.kind === 'agent' && <Bot size={12} />}
      <Initials name={name} pictureId={user?.picture_id ?? null} size={16} />
      <VisuallyHidden component="span">Assigned to {name}</VisuallyHidden>
    </span>
  )
}

/** The time today, then the day. */
const whenOf = (at: string) => (dayOf(Date.parse(at)) === dayOf(Date.now()) ? asTime(at) : asShortDay(at))
