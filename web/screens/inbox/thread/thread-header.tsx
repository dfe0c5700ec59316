import { Menu, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  AlarmClock,
  ArrowLeft,
  CircleCheck,
  Ellipsis,
  Lock,
  type LucideIcon,
  MailOpen,
  Merge,
  OctagonAlert,
  PanelRight,
  RotateCcw,
  Tag,
  UserRound,
} from 'lucide-react'
import { channelsQuery, isChat } from '../../../channels/channels.ts'
import { type Conversation, labelsQuery, nameOfOther, subjectOf, type Thread } from '../../../conversations/inbox.ts'
import { LabelBadge } from '../../../conversations/labels.tsx'
import { Initials } from '../../../ui/basics/avatar.tsx'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { asNearMoment } from '../../../ui/text/moments.ts'
import { useUser } from '../../../users/users.ts'
import { Due } from '../state/due.tsx'
import css from './thread.module.css'
import type { Asked } from './triage-dialogs.tsx'

export type HeaderProps = {
  conversation: Conversation
  visits: Thread['visits']
  onState: (state: 'open' | 'closed' | 'spam') => void
  onUnread: () => void
  onAsk: (what: Asked['what']) => void
  /** On narrow screens: to the list. */
  onBack: (() => void) | undefined
  /** Where the column of records is not shown beside. */
  onContext: (() => void) | undefined
}

export function ThreadHeader({ conversation, visits, onState, onUnread, onAsk, onBack, onContext }: HeaderProps) {
  const { state, snoozed_until } = conversation
  const { data: channels } = useQuery(channelsQuery)
  return (
    <header className={css.header}>
      {onBack && <BackToList onClick={onBack} />}
      <div className={css.title}>
        <h1 tabIndex={-1} dir="auto">
          {isChat(conversation, channels) ? nameOfOther(conversation) : subjectOf(conversation)}
        </h1>
        <Facts of={conversation} onAsk={onAsk} />
      </div>
      <Visits of={visits} />
      <div className={css.actions}>
        {state === 'open' || state === 'snoozed' ? (
          <Tool label="Close" icon={CircleCheck} hint="e" onClick={() => onState('closed')} />
        ) : (
          <Tool label="Reopen" icon={RotateCcw} hint="e" onClick={() => onState('open')} />
        )}
        <Tool label="Snooze" icon={AlarmClock} hint="s" onClick={() => onAsk('snooze')} />
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <IconButton icon={Ellipsis} label="More actions for this conversation" size={32} />
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Tag size={14} />} onClick={() => onAsk('label')}>
              Label
            </Menu.Item>
            <Menu.Item leftSection={<MailOpen size={14} />} onClick={onUnread}>
              Mark as unread
            </Menu.Item>
            <Menu.Item leftSection={<Merge size={14} />} onClick={() => onAsk('merge')}>
              Merge into another
            </Menu.Item>
            {state === 'spam' ? (
              <Menu.Item leftSection={<RotateCcw size={14} />} onClick={() => onState('open')}>
                Not spam
              </Menu.Item>
            ) : (
              <Menu.Item leftSection={<OctagonAlert size={14} />} onClick={() => onState('spam')}>
                Spam
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
        {onContext && <Tool label="People and records" icon={PanelRight} onClick={onContext} />}
      </div>
      {state === 'snoozed' && snoozed_until && (
        <p className={css.snoozed}>
          <AlarmClock size={13} /> Snoozed until {asNearMoment(snoozed_until)}
        </p>
      )}
    </header>
  )
}

export const BackToList = ({ onClick }: { onClick: () => void }) => (
  <IconButton icon={ArrowLeft} label="Back to the list" size={40} onClick={onClick} />
)

type ToolProps = { label: string; icon: LucideIcon; hint?: string; onClick: () => void }

const Tool = ({ label, icon: Icon, hint, onClick }: ToolProps) => (
  <Tooltip label={hint ? `${label} (${hint})` : label}>
    <IconButton icon={Icon} label={label} size={32} title={false} onClick={onClick} />
  </Tooltip>
)

function Facts({ of, onAsk }: { of: Conversation; onAsk: (what: Asked['what']) => void }) {
  const { data: labels = [] } = useQuery(labelsQuery)
  const { data: channels = [] } = useQuery(channelsQuery)
  const channel = channels.find(({ id }) => id === of.channel_id)
  return (
    <div className={css.facts}>
      <UnstyledButton className={css.assignee} onClick={() => onAsk('assign')}>
        {of.assignee_id ? (
          <Assignee id={of.assignee_id} />
        ) : (
          <>
            <UserRound size={13} /> Assign
          </>
        )}
      </UnstyledButton>
      {of.is_private && (
        <span className={css.private}>
          <Lock size={12} /> Only you
        </span>
      )}
      <Due of={of} isLong />
      {channel && <span className={css.channel}>{channel.name}</span>}
      {labels
        .filter(({ id }) => of.label_ids.includes(id))
        .map((label) => (
          <LabelBadge key={label.id} of={label} />
        ))}
    </div>
  )
}

function Assignee({ id }: { id: string }) {
  const user = useUser(id)
  const name = user?.name ?? 'Someone'
  return (
    <>
      <Initials name={name} pictureId={user?.picture_id ?? null} size={16} />
      <span>
        <VisuallyHidden component="span">Assigned to </VisuallyHidden>
        {name}
      </span>
    </>
  )
}

/** Who else is here. */
const Visits = ({ of: visits }: { of: Thread['visits'] }) => (
  <div className={css.visits} role="status">
    {visits.map(({ user_id, name, is_typing }) => (
      <span key={user_id} className={css.visit} data-typing={is_typing || undefined} title={name}>
        <Visitor id={user_id} name={name} />
        <span>{is_typing ? `${name} is typing…` : `${name} is here`}</span>
      </span>
    ))}
  </div>
)

function Visitor({ id, name }: { id: string; name: string }) {
  const user = useUser(id)
  return <Initials name={name} pictureId={user?.picture_id ?? null} size={20} />
}
