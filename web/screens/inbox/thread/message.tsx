import { Button, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Bot, CalendarClock, Ellipsis, Forward, Lock, Reply, ReplyAll, Split } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { eventPhrase, eventText } from '../../../../contract/shared/conversation-event-text.ts'
import { previewOf } from '../../../../contract/shared/message-preview.ts'
import { nameOrAddress, shownAddress } from '../../../../contract/shared/visitor-address.ts'
import type { Answer } from '../../../channels/channels.ts'
import { api } from '../../../client/api.ts'
import { type Conversation, type Message, nameOf, seedOf, threadKey } from '../../../conversations/inbox.ts'
import { Badge, Initials } from '../../../ui/basics/avatar.tsx'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { complain } from '../../../ui/basics/notices.tsx'
import { StatusNote } from '../../../ui/basics/status.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { asFull, asNearMoment, withNearMoments } from '../../../ui/text/moments.ts'
import { useNames, useUser } from '../../../users/users.ts'
import { cancelMessage } from '../state/use-send.ts'
import { MessageFiles } from './attachments.tsx'
import css from './message.module.css'
import { MarkdownView, MessageBody } from './message-body.tsx'

export type MessageActions = {
  answers: Answer[]
  onReply: (kind: Answer, message: Message) => void
  /** This message and all later ones get a conversation of their own. */
  onSplit: ((message: Message) => void) | undefined
}

type Props = MessageActions & { of: Message; participants: Conversation['participants']; isOpen: boolean }

/** A message, an internal note, or what happened to the conversation. */
export function MessageEntry(props: Props) {
  const { of: message } = props
  if (message.kind === 'event') return <EventEntry of={message} />
  if (message.kind === 'note') return <NoteEntry of={message} />
  if (message.deleted_at) return <Deleted of={message} participants={props.participants} />
  return message.state === 'cancelled' ? <TakenBack of={message} /> : <MailEntry {...props} />
}

function EventEntry({ of: message }: { of: Message }) {
  const name = useAuthor(message)
  const author = message.rule_name ? `Rule “${message.rule_name}”` : message.user_id ? name : undefined
  return (
    <li className={css.event}>
      <span dir="auto">{eventSentence(message, author)}</span>
      <Ago at={message.at} />
    </li>
  )
}

/** Events of older versions only have a text. */
function eventSentence({ event, text }: Message, author: string | undefined) {
  if (!event) return author ? `${author}: ${withNearMoments(text)}` : withNearMoments(text)
  return author ? `${author} ${eventPhrase(event, asNearMoment)}` : eventText(event, asNearMoment)
}

/** Its sender deleted it, so there is nothing left of it. */
function Deleted({ of: message, participants }: Pick<Props, 'of' | 'participants'>) {
  const name = useAuthor(message, participants)
  return (
    <li className={css.event}>
      <span dir="auto">{name} deleted a message</span>
      <Ago at={message.at} />
    </li>
  )
}

/** It never left, so it is a line among the messages that did. */
function TakenBack({ of: message }: { of: Message }) {
  const [isOpen, setOpen] = useState(false)
  const name = useAuthor(message)
  return (
    <li>
      <div className={css.event}>
        <button type="button" className={css.takenBack} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {name} cancelled a message before it was sent
        </button>
        <Ago at={message.at} />
      </div>
      {isOpen && (
        <div className={css.takenBackText} dir="auto">
          {message.text}
        </div>
      )}
    </li>
  )
}

function NoteEntry({ of: message }: { of: Message }) {
  const name = useAuthor(message)
  return (
    <li className={css.note}>
      <article aria-label={`Note by ${name}`}>
        <header className={css.head}>
          <Face of={message} name={name} />
          <span className={css.who}>
            <b>{name}</b>
            {message.via_agent && <AgentMark />}
          </span>
          <span className={css.internal}>
            <Lock size={12} /> Internal note
          </span>
          <Ago at={message.at} />
        </header>
        <div className={css.markdown}>
          <Suspense fallback={<p className={css.plain}>{message.text}</p>}>
            <MarkdownView text={message.text} />
          </Suspense>
        </div>
      </article>
    </li>
  )
}

export const AgentMark = () => (
  <span className={css.agent} title="Written by an agent">
    <Bot size={13} />
    <VisuallyHidden component="span">by an agent</VisuallyHidden>
  </span>
)

function MailEntry({ of: message, participants, isOpen: initially, ...actions }: Props) {
  const [isOpen, setOpen] = useState(initially)
  const [areDetailsShown, showDetails] = useState(false)
  useEffect(() => {
    if (initially) setOpen(true)
  }, [initially])
  const name = useAuthor(message, participants)
  const to = message.recipients.map((one) => nameOf(one, participants))
  if (!isOpen)
    return (
      <li className={css.message}>
        <UnstyledButton className={css.folded} aria-expanded={false} onClick={() => setOpen(true)}>
          <Face of={message} name={name} seed={seedOf(participants, message.from_address)} />
          <b>{name}</b>
          <NotSent of={message} />
          <span dir="auto">{previewOf(message)}</span>
          <When of={message} />
        </UnstyledButton>
      </li>
    )
  return (
    <li className={css.message} data-direction={message.direction}>
      <article aria-label={`Message from ${name}`}>
        <header className={css.head}>
          <Face of={message} name={name} seed={seedOf(participants, message.from_address)} />
          <div className={css.whoAndTo}>
            <span className={css.who}>
              <b>{name}</b>
              {message.via_agent && <AgentMark />}
              {message.is_automatic && (
                <Badge>{message.rule_name ? `Automatic, rule “${message.rule_name}”` : 'Automatic'}</Badge>
              )}
              {message.direction === 'in' && name !== message.from_address && (
                <small>{shownAddress(message.from_address)}</small>
              )}
            </span>
            <Approved of={message} name={name} />
            {to.length > 0 && (
              <button
                type="button"
                className={css.to}
                aria-expanded={areDetailsShown}
                onClick={() => showDetails(!areDetailsShown)}
              >
                to {to.length > 2 ? `${to.slice(0, 2).join(', ')} and ${to.length - 2} more` : to.join(', ')}
              </button>
            )}
          </div>
          <When of={message} />
          <IconButton
            icon={Reply}
            label={`Reply to ${name}`}
            size={28}
            title="Reply"
            onClick={() => actions.onReply('reply', message)}
          />
          <MailMenu of={message} name={name} {...actions} />
        </header>
        {areDetailsShown && <Details of={message} />}
        <div className={css.body}>
          <Warnings of={message} />
          <MessageBody of={message} />
          <Edited of={message} />
          <MessageFiles of={message} />
          <Delivery of={message} />
        </div>
      </article>
    </li>
  )
}

const Warnings = ({ of: { warnings } }: { of: Message }) =>
  warnings.map((warning) => (
    <StatusNote key={warning} tone="warn">
      {warning}
    </StatusNote>
  ))

/** A message that looks like any other would be taken for sent. */
function NotSent({ of: message }: { of: Message }) {
  const words = { failed: 'Not sent', unknown: 'Delivery unknown', waiting: isTriedAgain(message) && 'Not sent yet' }
  const text = message.direction === 'out' && words[message.state as keyof typeof words]
  return text ? <strong className={css.notSent}>{text}</strong> : null
}

/** An attempt to send it did not work. */
const isTriedAgain = ({ state, state_reason }: Message) => state === 'waiting' && state_reason !== null

function Approved({ of: { approved_by }, name }: { of: Message; name: string }) {
  const names = useNames()
  return approved_by ? (
    <small className={css.approved}>
      Proposed by {name}, approved by {names(approved_by)}
    </small>
  ) : null
}

function MailMenu({ of: message, name, answers, onReply, onSplit }: MessageActions & { of: Message; name: string }) {
  if (answers.length === 1 && !onSplit) return null
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <IconButton icon={Ellipsis} label={`Actions for the message from ${name}`} size={28} />
      </Menu.Target>
      <Menu.Dropdown>
        {answers.includes('reply_all') && (
          <Menu.Item leftSection={<ReplyAll size={14} />} onClick={() => onReply('reply_all', message)}>
            Reply to all
          </Menu.Item>
        )}
        {answers.includes('forward') && (
          <Menu.Item leftSection={<Forward size={14} />} onClick={() => onReply('forward', message)}>
            Forward
          </Menu.Item>
        )}
        {onSplit && (
          <Menu.Item leftSection={<Split size={14} />} onClick={() => onSplit(message)}>
            Split off from here
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const kinds = { to: 'To', cc: 'Cc', bcc: 'Bcc' } as const

const Details = ({ of: message }: { of: Message }) => (
  <dl className={css.details}>
    <dt>From</dt>
    <dd>{nameOrAddress(shownAddress(message.from_address) ?? message.from_name, message.from_address) ?? 'Unknown'}</dd>
    {(['to', 'cc', 'bcc'] as const).map((kind) => {
      const some = message.recipients.filter((one) => one.kind === kind)
      return some.length > 0 && <Recipients key={kind} name={kinds[kind]} of={some} />
    })}
    <dt>Date</dt>
    <dd>{asFull(message.at)}</dd>
    {message.provider_id && (
      <>
        <dt>Message-ID</dt>
        <dd>{message.provider_id}</dd>
      </>
    )}
  </dl>
)

const withAddress = ({ name, address }: { name: string | null; address: string }) =>
  name && shownAddress(address) ? `${name} <${address}>` : nameOrAddress(name, address)

const Recipients = ({ name, of: some }: { name: string; of: Message['recipients'] }) => (
  <>
    <dt>{name}</dt>
    <dd>{some.map(withAddress).join(', ')}</dd>
  </>
)

const Edited = ({ of: { edited_at, earlier_texts } }: { of: Message }) =>
  edited_at && (
    <details className={css.edited}>
      <summary>Edited {asNearMoment(edited_at)}</summary>
      {earlier_texts.map((text, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
        <p key={i} dir="auto">
          {text}
        </p>
      ))}
    </details>
  )

const stateWords: Partial<Record<Message['state'], string>> = {
  sending: 'Sending…',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
}

/** Whether it left, and what to do if it did not. Of a message that arrived: what is missing of it. */
function Delivery({ of: message }: { of: Message }) {
  const client = useQueryClient()
  const act = useMutation({
    mutationFn: async (what: 'retry' | 'cancel') => {
      if (what === 'retry') await api.retryMessage({ id: message.id })
      else await cancelMessage(message.id)
    },
    onSettled: () => client.invalidateQueries({ queryKey: threadKey(message.conversation_id) }),
    onError: (error) => complain('Nothing was changed', error),
  })
  const { state, state_reason, send_at } = message
  if (message.direction !== 'out') return state_reason ? <p className={css.state}>{state_reason}</p> : null
  const button = (what: 'retry' | 'cancel', words: string) => (
    <Button variant="default" size="compact-xs" loading={act.isPending} onClick={() => act.mutate(what)}>
      {words}
    </Button>
  )
  if (isTriedAgain(message))
    return (
      <p className={css.failed} role="alert">
        <span>
          Not sent yet. {state_reason} {send_at && `Next attempt: ${asNearMoment(send_at)}.`}
        </span>
        {button('retry', 'Try now')}
        {button('cancel', 'Cancel')}
      </p>
    )
  if (state === 'failed' || state === 'unknown')
    return (
      <p className={css.failed} role="alert">
        <span>
          {state === 'failed' ? 'Not sent. ' : 'We can’t tell whether this was sent. '}
          {state_reason}
        </span>
        {button('retry', state === 'failed' ? 'Retry' : 'Send again')}
      </p>
    )
  if (state === 'waiting')
    return (
      <p className={css.state}>
        <span>{isLater(send_at) ? `Scheduled for ${asNearMoment(send_at)}` : 'Sending…'}</span>
        {button('cancel', isLater(send_at) ? 'Cancel' : 'Undo')}
      </p>
    )
  const words = stateWords[state]
  if (words && state_reason)
    return (
      <p className={css.failed} role="alert">
        <span>
          {words}. {state_reason}
        </span>
      </p>
    )
  return words ? <p className={css.state}>{words}</p> : null
}

const isLater = (at: string | null): at is string => at !== null && Date.parse(at) - Date.now() > 60_000

/** When it was sent, or will be. */
const When = ({ of: { state, state_reason, send_at, at } }: { of: Message }) =>
  state === 'waiting' && state_reason === null && isLater(send_at) ? (
    <time className={css.later} dateTime={send_at} title={asFull(send_at)}>
      <CalendarClock size={13} role="img" aria-label="Scheduled for" /> {asNearMoment(send_at)}
    </time>
  ) : (
    <Ago at={at} />
  )

function useAuthor({ user_id, from_name, from_address }: Message, participants?: Conversation['participants']) {
  const names = useNames()
  return user_id ? names(user_id) : nameOf({ name: from_name, address: from_address }, participants)
}

const Face = ({ of: message, name, seed }: { of: Message; name: string; seed?: string | undefined }) =>
  message.user_id ? <UserFace id={message.user_id} name={name} /> : <Initials name={name} size={26} seed={seed} />

function UserFace({ id, name }: { id: string; name: string }) {
  const user = useUser(id)
  return <Initials name={name} pictureId={user?.picture_id ?? null} size={26} />
}
