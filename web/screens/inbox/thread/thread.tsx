import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Forward, Lock, Reply, ReplyAll } from 'lucide-react'
import { lazy, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { pages } from '../../../../contract/shared/pages.ts'
import { type Answer, answersBy, type Channel, channelsQuery } from '../../../channels/channels.ts'
import { useChatVisitor } from '../../../channels/chat.ts'
import { channelPage, myMailboxPage } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import {
  type Conversation,
  type Draft,
  type Message,
  nameOfOther,
  type Proposal,
  type Thread as ThreadOf,
} from '../../../conversations/inbox.ts'
import { useArrival } from '../../../ui/basics/keyboard.ts'
import { isMissing, LoadMore } from '../../../ui/basics/loaded.tsx'
import { Failure, Missing } from '../../../ui/basics/states.tsx'
import { StatusNote } from '../../../ui/basics/status.tsx'
import { Composer } from '../compose/composer.tsx'
import { answered, answeredBy, beginningOf } from '../state/reply.ts'
import { useDraft } from '../state/use-draft.ts'
import { useProposals, useReading, useThread, useVisit } from '../state/use-thread.ts'
import type { Triage } from '../state/use-triage.ts'
import { ChatVisitorLine } from './chat-visitor.tsx'
import { MessageEntry } from './message.tsx'
import css from './thread.module.css'
import { BackToList, type HeaderProps, ThreadHeader } from './thread-header.tsx'

const ProposalCard = lazy(async () => ({ default: (await import('./proposal.tsx')).ProposalCard }))
const RejectedProposal = lazy(async () => ({ default: (await import('./proposal.tsx')).RejectedProposal }))

/** `count` is raised whenever someone asks for it. */
export type AskedFor = { kind: Draft['kind']; count: number } | undefined

type Props = Omit<HeaderProps, 'conversation' | 'visits'> & {
  id: string
  asked: AskedFor
  triage: Triage
  onSent: (sent: { conversation_id: string; isClosed: boolean }) => void
}

/** A conversation: its messages, and what is being written. */
export function Thread({ id, ...props }: Props) {
  const thread = useThread(id)
  const { query, first } = thread
  if (first) return <Known key={id} thread={thread} first={first} {...props} />
  if (isMissing(query.error)) return <Missing what="conversation" back={pages.inbox} />
  return (
    <div className={css.thread}>
      {props.onBack && (
        <header className={css.header}>
          <BackToList onClick={props.onBack} />
        </header>
      )}
      {query.error ? (
        <div className={css.failed}>
          <Failure error={query.error} onRetry={() => void query.refetch()} busy={query.isFetching} />
        </div>
      ) : (
        <div className={css.waiting} role="status" aria-label="Loading the conversation">
          <Skeleton height={22} width="50%" mb={24} />
          <Skeleton height={140} radius="lg" mb={16} />
          <Skeleton height={220} radius="lg" />
        </div>
      )}
    </div>
  )
}

type KnownProps = Omit<Props, 'id'> & { thread: ReturnType<typeof useThread>; first: ThreadOf }

function Known({ thread, first, asked, triage, onSent, ...header }: KnownProps) {
  const { query, messages } = thread
  const { conversation } = first
  const { data: proposals = [] } = useProposals(conversation.id)
  const { data: channels = [] } = useQuery(channelsQuery)
  const draft = useDraft(conversation.id)
  const typing = useTyping()
  const isChat = channels.some(({ id, kind }) => id === conversation.channel_id && kind === 'chat')
  const visitor = useChatVisitor(conversation.id, isChat, typing.is && draft.draft?.kind !== 'note')
  const visits = useVisit(conversation.id, typing.is, first.visits)
  const [isFocused, setFocused] = useState(false)
  useArrival()
  useReading(conversation)
  const channel = channels.find(({ id }) => id === conversation.channel_id)
  const own = useMemo(() => channels.map(({ address }) => address.toLowerCase()), [channels])
  const answers = answersBy(channel)
  const begin = (kind: Draft['kind'], message?: Message) => {
    if (kind !== 'note' && !answers.some((one) => one === kind)) return
    setFocused(true)
    const begun = beginningOf(kind, conversation, answered(messages, message?.id), own)
    // What was written stays; only what it is, and to whom, changes.
    if (!draft.draft) draft.begin(begun)
    else draft.change({ ...begun, channel_id: draft.draft.channel_id }, true)
  }
  useAsked(asked, begin)
  const scroller = useRef<HTMLDivElement>(null)
  useScrollToNewest(scroller, messages, conversation)
  useRoomForNotices(scroller)
  const inState = (wanted: Proposal['state']) => proposals.filter(({ state }) => state === wanted).toReversed()
  const [waiting, rejected] = [inState('waiting'), inState('rejected')]
  const unfolded = useUnfolded(messages)
  const splitFrom = (message: Message) => {
    const from = messages.findIndex(({ id }) => id === message.id)
    const ids = messages
      .slice(from)
      .filter(({ kind }) => kind !== 'event')
      .map(({ id }) => id)
    void triage.split(conversation.id, ids)
  }
  const firstMail = messages.find(({ kind }) => kind === 'message')
  return (
    <div className={css.thread}>
      <ThreadHeader conversation={conversation} visits={visits} {...header} />
      <div ref={scroller} className={css.scroller} data-thread-scroller tabIndex={-1}>
        {first.maybe && (
          <StatusNote
            tone="quiet"
            action={
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => void triage.merge(conversation, { id: first.maybe!.id, subject: first.maybe!.subject })}
              >
                Merge
              </Button>
            }
          >
            This may be part of “{first.maybe.subject}”.
          </StatusNote>
        )}
        {channel && <ChannelHint of={channel} />}
        <LoadMore of={query} size="compact-sm" />
        <div data-messages>
          <ol className={css.messages} aria-label="Messages">
            {withoutRewritten(messages, draft.draft).map((message) => (
              <MessageEntry
                key={message.id}
                of={message}
                participants={conversation.participants}
                isOpen={unfolded.has(message.id)}
                answers={answers}
                onReply={begin}
                onSplit={message.id === firstMail?.id ? undefined : splitFrom}
              />
            ))}
          </ol>
          <GuestTyping key={first.typing_until} until={first.typing_until} name={nameOfOther(conversation)} />
          {(waiting.length > 0 || rejected.length > 0) && (
            <Suspense>
              {rejected.map((proposal) => (
                <RejectedProposal key={proposal.id} of={proposal} />
              ))}
              {waiting.map((proposal) => (
                <ProposalCard
                  key={proposal.id}
                  of={proposal}
                  participants={conversation.participants}
                  isOutdated={proposal.changed !== null || proposal !== waiting.at(-1)}
                />
              ))}
            </Suspense>
          )}
        </div>
      </div>
      {visitor && <ChatVisitorLine of={visitor} />}
      {draft.draft ? (
        <Composer
          state={draft}
          draft={draft.draft}
          answered={answeredBy(draft.draft, messages)}
          participants={conversation.participants}
          isFocused={isFocused}
          onTyping={typing.typed}
          onKind={begin}
          onSent={onSent}
        />
      ) : (
        draft.isKnown && (
          <Beginnings
            answers={hasOthers(messages, own) ? answers : answers.filter((kind) => kind !== 'reply_all')}
            onBegin={begin}
          />
        )
      )}
    </div>
  )
}

/** As long as it is known. */
function GuestTyping({ until, name }: { until: string | null; name: string }) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!until) return
    const timer = setTimeout(() => setOver(true), Math.max(0, Date.parse(until) - Date.now()))
    return () => clearTimeout(timer)
  }, [until])
  return until && !isOver ? (
    <p className={css.typing} role="status">
      {name} is typing…
    </p>
  ) : null
}

/** Where answers would not leave, or visitors find no one. */
function ChannelHint({ of: { id, kind, name, state, owner_id, is_mine } }: { of: Channel }) {
  const { may } = useSignedIn()
  if (state !== 'paused' && state !== 'disconnected') return null
  const page = owner_id === null ? may('channels.manage') && channelPage : is_mine && myMailboxPage
  return (
    <StatusNote
      tone="quiet"
      action={
        page && (
          <Link to={page} params={{ id }}>
            Open channel
          </Link>
        )
      }
    >
      {state === 'paused'
        ? kind === 'chat'
          ? `${name} is paused. Visitors see the chat as closed; you can still reply.`
          : `${name} is paused: nothing is received or sent until it is resumed.`
        : `${name} is disconnected: replies cannot be sent.`}
    </StatusNote>
  )
}

const hasOthers = (messages: Message[], own: string[]) => {
  const last = answered(messages)
  const all = (last?.recipients ?? []).filter(({ address }) => !own.includes(address.toLowerCase()))
  return all.length > (last?.direction === 'out' ? 1 : 0)
}

type BeginningsProps = { answers: Answer[]; onBegin: (kind: Draft['kind']) => void }

const Beginnings = ({ answers, onBegin }: BeginningsProps) => (
  <div className={css.beginnings}>
    <Button size="sm" leftSection={<Reply size={15} />} onClick={() => onBegin('reply')}>
      Reply
    </Button>
    {answers.includes('reply_all') && (
      <Button variant="default" size="sm" leftSection={<ReplyAll size={15} />} onClick={() => onBegin('reply_all')}>
        Reply to all
      </Button>
    )}
    {answers.includes('forward') && (
      <Button variant="default" size="sm" leftSection={<Forward size={15} />} onClick={() => onBegin('forward')}>
        Forward
      </Button>
    )}
    <Button variant="default" size="sm" leftSection={<Lock size={14} />} onClick={() => onBegin('note')}>
      Note
    </Button>
  </div>
)

const typingMs = 4000

/** Is someone typing right now? */
function useTyping() {
  const [is, set] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const typed = (isStill = true) => {
    set(isStill)
    clearTimeout(timer.current)
    if (isStill) timer.current = setTimeout(() => set(false), typingMs)
  }
  return { is, typed }
}

function useAsked(asked: AskedFor, begin: (kind: Draft['kind']) => void) {
  const done = useRef(asked?.count)
  useEffect(() => {
    if (!asked || asked.count === done.current) return
    done.current = asked.count
    begin(asked.kind)
  })
}

/** The newest messages are read first; older ones are folded to a line. */
function useUnfolded(messages: Message[]) {
  const mails = messages.filter(({ kind, state }) => kind === 'message' && state !== 'cancelled')
  return new Set(mails.slice(-3).map(({ id }) => id))
}

/** What was taken back and written again, or is a draft again, is not shown twice. */
const withoutRewritten = (messages: Message[], draft: Draft | undefined) =>
  messages.filter((message, index) => {
    if (message.kind !== 'message' || message.state !== 'cancelled') return true
    const isAgain = (later: Message) => later.kind === 'message' && later.user_id === message.user_id
    // What was sent has the signature, too.
    const isDraft = Boolean(draft?.text.trim()) && message.text.trim().startsWith(draft!.text.trim())
    return !(isDraft || messages.slice(index + 1).some(isAgain))
  })

/** Notices stand above what is below the messages, so that they never cover Send. */
function useRoomForNotices(scroller: RefObject<HTMLDivElement | null>) {
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    const { style } = document.documentElement
    const measure = () =>
      style.setProperty('--below-messages', `${Math.round(innerHeight - box.getBoundingClientRect().bottom)}px`)
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => {
      observer.disconnect()
      style.removeProperty('--below-messages')
    }
  }, [scroller])
}

/** Where the newest message is in sight: at the end, or, if it is longer than the view, where it begins. */
function newestAt(box: HTMLElement) {
  const end = box.scrollHeight - box.clientHeight
  const newest = [...box.querySelectorAll('[data-messages] article')].at(-1)
  if (!newest) return end
  const top = newest.getBoundingClientRect().top - box.getBoundingClientRect().top
  return Math.max(0, Math.min(end, Math.floor(box.scrollTop + top - 12)))
}

/** To the newest message, when the conversation is opened, when one arrives while one is there, and to what one wrote. */
function useScrollToNewest(scroller: RefObject<HTMLDivElement | null>, messages: Message[], { id }: Conversation) {
  const { me } = useSignedIn()
  const last = messages.at(-1)?.id
  const own = messages.findLast(({ kind, user_id }) => kind !== 'event' && user_id === me.id)?.id
  const before = useRef(own)
  const stays = useRef<'newest' | 'end' | undefined>('newest')
  const go = useRef(() => {})
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    let [came, known] = [-1, 0]
    go.current = () => {
      if (!stays.current) return
      box.scrollTo({ top: stays.current === 'end' ? box.scrollHeight : newestAt(box) })
      came = box.scrollTop
      known = box.scrollHeight
    }
    const look = () => {
      const isSettled = box.scrollHeight === known
      known = box.scrollHeight
      // Not by the reader.
      if (box.scrollTop === came || !isSettled) return
      const end = box.scrollHeight - box.clientHeight
      const newest = newestAt(box)
      const isNear = (top: number, by: number) => Math.abs(box.scrollTop - top) < by
      stays.current = isNear(newest, newest === end ? 120 : 20) ? 'newest' : isNear(end, 120) ? 'end' : undefined
    }
    box.addEventListener('scroll', look, { passive: true })
    // Frames get their height after they are loaded, and the composer takes room away.
    const inside = box.querySelector('[data-messages]')
    const observer = new ResizeObserver(() => {
      go.current()
      known = box.scrollHeight
    })
    for (const one of [inside, box]) if (one) observer.observe(one)
    return () => {
      box.removeEventListener('scroll', look)
      observer.disconnect()
    }
  }, [scroller])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another message
  useEffect(() => {
    if (stays.current === 'end' || own !== before.current) stays.current = 'newest'
    before.current = own
    go.current()
  }, [id, last, own])
}
