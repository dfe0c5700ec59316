import { Button, Menu, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import {
  BadgeCheck,
  ChevronDown,
  Clock,
  FileText,
  Forward,
  Lock,
  type LucideIcon,
  Reply,
  ReplyAll,
  Trash2,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { templateVariables } from '../../../../contract/messages.ts'
import { nameOrAddress } from '../../../../contract/shared/visitor-address.ts'
import { abilitiesOf, answersBy, canSendBy, channelsQuery, senderOf } from '../../../channels/channels.ts'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import type { Conversation, Draft, Message, Template } from '../../../conversations/inbox.ts'
import { MarkdownEditor } from '../../../markdown/note-editor.tsx'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { complain } from '../../../ui/basics/notices.tsx'
import { FormFailure } from '../../../ui/basics/states.tsx'
import { StatusNote } from '../../../ui/basics/status.tsx'
import { asFull } from '../../../ui/text/moments.ts'
import { focusThread } from '../state/focus-thread.ts'
import type { DraftState } from '../state/use-draft.ts'
import { type Sending, useDiscard, useSend } from '../state/use-send.ts'
import css from './composer.module.css'
import { AttachButton, FileList, useFiles } from './files.tsx'
import { PickTime } from './pick-time.tsx'
import { Recipients } from './recipients.tsx'
import { TemplatePicker } from './templates.tsx'

const ProviderTemplates = lazy(async () => ({
  default: (await import('./provider-templates.tsx')).ProviderTemplates,
}))

const kinds: Record<Draft['kind'], { label: string; icon: LucideIcon }> = {
  reply: { label: 'Reply', icon: Reply },
  reply_all: { label: 'Reply to all', icon: ReplyAll },
  forward: { label: 'Forward', icon: Forward },
  note: { label: 'Internal note', icon: Lock },
  new: { label: 'New message', icon: FileText },
}

/** What a template could not fill in. */
const gap = new RegExp(`\\[(${templateVariables.join('|')}|person\\.\\w+)\\](?!\\()`, 'g')

type Props = {
  state: DraftState
  draft: Draft
  /** The message that it answers or forwards. */
  answered?: Message | undefined
  /** Those of the conversation, who are shown by their names. */
  participants?: Conversation['participants']
  /** Someone asked for it, so the focus goes there. */
  isFocused: boolean
  /** false: it is being sent. */
  onTyping: (isStill?: boolean) => void
  onKind?: (kind: Draft['kind']) => void
  onSent: (sent: { conversation_id: string; isClosed: boolean }) => void
}

/** What is being written: a message, or a note that only the team reads. */
export function Composer({ state, draft, answered, participants, isFocused, onTyping, onKind, onSent }: Props) {
  const { may } = useSignedIn()
  const [hasCopies, setCopies] = useState(draft.cc.length + draft.bcc.length > 0)
  const [asked, ask] = useState<'template' | 'approved' | 'later'>()
  const isNote = draft.kind === 'note'
  const isNew = draft.kind === 'new'
  const forwarded = draft.kind === 'forward' ? answered : undefined
  const { data: channels } = useQuery(channelsQuery)
  const channel = channels?.find(({ id }) => id === draft.channel_id)
  const can = abilitiesOf(channel)
  const { send, failure, isPending } = useSend(state, onSent, can.undoSeconds)
  const discard = useDiscard(state)
  const files = useFiles(state)
  const theirFiles = forwarded?.files.filter(({ id, is_inline }) => !is_inline && !draft.without_file_ids.includes(id))
  const removeFile = (id: string) =>
    theirFiles?.some((one) => one.id === id)
      ? state.change({ without_file_ids: [...draft.without_file_ids, id] })
      : files.remove(id)
  const mayWrite = isNote || may('messages.send')
  const says = draft.text.trim() !== '' || (!isNote && (draft.files.length > 0 || draft.kind === 'forward'))
  const canSend = mayWrite && says && !files.isUploading
  const go = (how: Sending = {}) => {
    if (!canSend || isPending) return
    onTyping(false)
    void send(how)
  }
  const gaps = isNote ? null : `${draft.subject}\n${draft.text}`.replaceAll('\\', '').match(gap)
  const insert = async (template: Template) => {
    ask(undefined)
    try {
      const filled = await api.fillMessageTemplate({
        id: template.id,
        ...(draft.conversation_id && { conversation_id: draft.conversation_id }),
        ...(draft.to[0] && { to: draft.to[0] }),
      })
      const text = draft.text.trim() ? `${draft.text.trimEnd()}\n\n${filled.text}` : filled.text
      state.change({ text, ...(isNew && !draft.subject && { subject: filled.subject }) }, true)
    } catch (error) {
      complain('The template was not inserted', error)
    }
  }
  return (
    <section
      className={css.composer}
      data-note={isNote || undefined}
      data-over={files.isOver || undefined}
      aria-label={kinds[draft.kind].label}
      {...files.drop}
    >
      {state.theirs && (
        <StatusNote
          tone="warn"
          action={
            <div className={css.both}>
              <Button variant="default" size="compact-sm" onClick={state.takeTheirs}>
                Use the other version
              </Button>
              <Button size="compact-sm" onClick={state.keepMine}>
                Keep this version
              </Button>
            </div>
          }
        >
          This draft was also edited on another device.
        </StatusNote>
      )}
      <Top
        draft={draft}
        state={state}
        onKind={onKind}
        onCopies={hasCopies || !can.cc ? undefined : () => setCopies(true)}
      />
      {!isNote && (
        <div className={css.fields}>
          {!can.isAnswerOnly && (
            <Line label="To">
              <Recipients
                label="To"
                value={draft.to}
                kind={can.addresses}
                channel={channel}
                participants={participants}
                onChange={(to) => state.change({ to })}
                autoFocus={isFocused && !draft.to.length}
              />
            </Line>
          )}
          {hasCopies && can.cc && (
            <>
              <Line label="Cc">
                <Recipients label="Cc" value={draft.cc} onChange={(cc) => state.change({ cc })} />
              </Line>
              <Line label="Bcc">
                <Recipients label="Bcc" value={draft.bcc} onChange={(bcc) => state.change({ bcc })} />
              </Line>
            </>
          )}
          {(isNew || draft.kind === 'forward') && can.subject && (
            <Line label="Subject">
              <TextInput
                aria-label="Subject"
                value={draft.subject}
                maxLength={500}
                onChange={(event) => state.change({ subject: event.currentTarget.value })}
              />
            </Line>
          )}
        </div>
      )}
      <FormFailure>{failure}</FormFailure>
      <div className={css.text}>
        <MarkdownEditor
          key={state.textKey}
          label={isNote ? 'Note' : 'Message'}
          initial={draft.text}
          saved=""
          isFocused={isFocused && (draft.to.length > 0 || isNote)}
          hasMentions={isNote}
          onChange={(text) => {
            onTyping()
            state.change({ text })
          }}
          onSave={() => go()}
          onCancel={() => {
            discard()
            focusThread()
          }}
          onLeave={focusThread}
        />
      </div>
      {gaps && <StatusNote tone="warn">Fill in before sending: {[...new Set(gaps)].join(', ')}</StatusNote>}
      {!isNote && can.subject && <Below signature={channel?.signature.trim()} answered={answered} kind={draft.kind} />}
      <FileList files={[...(theirFiles ?? []), ...draft.files]} uploads={files.uploads} onRemove={removeFile} />
      <footer className={css.foot}>
        <div className={css.tools}>
          {!isNote && can.mostFilesMb > 0 && <AttachButton onFiles={files.add} />}
          {!isNote && (
            <IconButton
              icon={FileText}
              label="Insert a template"
              size={32}
              title="Template"
              onClick={() => ask('template')}
            />
          )}
          {!isNote && channel?.kind === 'whatsapp' && (
            <IconButton
              icon={BadgeCheck}
              label="Send a WhatsApp template"
              size={32}
              title="WhatsApp template"
              onClick={() => ask('approved')}
            />
          )}
          <IconButton icon={Trash2} label="Discard draft" size={32} title="Discard" onClick={discard} />
          <span className={css.saved} role="status">
            {state.state === 'failed'
              ? 'Not saved yet'
              : state.state === 'typed'
                ? 'Saving…'
                : draft.version > 0
                  ? 'Draft saved'
                  : ''}
          </span>
        </div>
        {isNote ? (
          <Button size="sm" loading={isPending} disabled={!canSend} onClick={() => go()}>
            Add note
          </Button>
        ) : (
          <Button.Group>
            <Button size="sm" loading={isPending} disabled={!canSend} onClick={() => go()}>
              Send
            </Button>
            <Menu position="top-end" width={230}>
              <Menu.Target>
                <Button size="sm" px={8} disabled={!canSend} aria-label="More ways to send">
                  <ChevronDown size={15} />
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {!isNew && <Menu.Item onClick={() => go({ close: true })}>Send and close</Menu.Item>}
                <Menu.Item leftSection={<Clock size={14} />} onClick={() => ask('later')}>
                  Send later
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Button.Group>
        )}
      </footer>
      {!mayWrite && <p className={css.hint}>Your role does not allow sending messages. You can add internal notes.</p>}
      {asked === 'template' && <TemplatePicker onPick={(one) => void insert(one)} onClose={() => ask(undefined)} />}
      {asked === 'approved' && (
        <Suspense>
          <ProviderTemplates
            draft={draft}
            onSent={(conversation_id) => {
              ask(undefined)
              onSent({ conversation_id, isClosed: false })
            }}
            onClose={() => ask(undefined)}
          />
        </Suspense>
      )}
      {asked === 'later' && (
        <PickTime
          title="Send later"
          question="When? e.g. Friday 10:00"
          onPick={(send_at) => {
            ask(undefined)
            go({ send_at })
          }}
          onClose={() => ask(undefined)}
        />
      )}
    </section>
  )
}

type BelowProps = { signature: string | undefined; answered: Message | undefined; kind: Draft['kind'] }

/** What is sent below the text. */
const Below = ({ signature, answered, kind }: BelowProps) => (
  <>
    {signature && (
      <Folded label="Signature">
        <div dir="auto">{signature}</div>
      </Folded>
    )}
    {answered && (
      <Folded label={kind === 'forward' ? 'Forwarded message' : 'Quoted message'}>
        <p className={css.hint}>
          From {nameOrAddress(answered.from_name, answered.from_address) ?? 'your team'}, {asFull(answered.at)}
        </p>
        <div dir="auto">{answered.quote ? `${answered.text}\n\n${answered.quote}` : answered.text}</div>
      </Folded>
    )}
  </>
)

function Folded({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={css.below} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && children}
    </details>
  )
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={css.line}>
    <span aria-hidden="true">{label}</span>
    {children}
  </div>
)

type TopProps = {
  draft: Draft
  state: DraftState
  onKind: Props['onKind']
  onCopies: (() => void) | undefined
}

/** What it is, and from where. */
function Top({ draft, state, onKind, onCopies }: TopProps) {
  const { data: channels = [] } = useQuery(channelsQuery)
  const { me } = useSignedIn()
  const { label, icon: Icon } = kinds[draft.kind]
  const usable = channels.filter(canSendBy)
  const channel = channels.find(({ id }) => id === draft.channel_id)
  const others = ([...answersBy(channel), 'note'] as const).filter((kind) => kind !== draft.kind)
  return (
    <div className={css.top}>
      {onKind ? (
        <Menu position="top-start" width={200}>
          <Menu.Target>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              leftSection={<Icon size={14} />}
              rightSection={<ChevronDown size={13} />}
            >
              {label}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map((kind) => {
              const Other = kinds[kind].icon
              return (
                <Menu.Item key={kind} leftSection={<Other size={14} aria-hidden="true" />} onClick={() => onKind(kind)}>
                  {kinds[kind].label}
                </Menu.Item>
              )
            })}
          </Menu.Dropdown>
        </Menu>
      ) : (
        <span className={css.from}>From</span>
      )}
      {draft.kind === 'note' && <span className={css.hint}>Only your team sees it. Type @ to mention someone.</span>}
      {draft.kind === 'new' && usable.length === 1 && <bdi className={css.kind}>{senderOf(usable[0]!, me.name)}</bdi>}
      {draft.kind !== 'new' && draft.kind !== 'note' && channel?.kind === 'email' && (
        <span className={css.hint}>
          From <bdi>{senderOf(channel, me.name)}</bdi>
        </span>
      )}
      {draft.kind === 'new' && usable.length > 1 && (
        <Select
          size="xs"
          aria-label="From"
          data={usable.map((one) => ({ value: one.id, label: senderOf(one, me.name) }))}
          value={draft.channel_id}
          onChange={(channel_id) => state.change({ channel_id })}
        />
      )}
      {draft.kind !== 'note' && onCopies && (
        <Button variant="subtle" color="gray" size="compact-sm" className={css.copies} onClick={onCopies}>
          Cc Bcc
        </Button>
      )}
    </div>
  )
}
