import { Button, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router'
import { MessagesSquare, Plus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { pages } from '../../../contract/shared/pages.ts'
import { channelsQuery } from '../../channels/channels.ts'
import { ConnectMailbox } from '../../channels/connect-mailbox.tsx'
import { conversationPage, newConversation } from '../../client/areas.ts'
import { useSignedIn } from '../../client/session.ts'
import { ConversationFilter } from '../../conversations/filter.tsx'
import type { Conversation, Draft } from '../../conversations/inbox.ts'
import { loadEditor } from '../../markdown/note-editor.tsx'
import { isRecordId } from '../../records/data/records-api.ts'
import { Offline } from '../../records/forms/offline.tsx'
import { Page } from '../../ui/basics/page.tsx'
import { useIsPhone } from '../../ui/basics/screen.ts'
import { Message, Missing } from '../../ui/basics/states.tsx'
import { Columns, ResizableColumn } from '../../ui/page/columns.tsx'
import { SelectionBar } from '../../ui/page/selection-bar.tsx'
import { Templates } from './compose/templates.tsx'
import css from './inbox.module.css'
import { ConversationList, focusRow } from './list/conversation-list.tsx'
import { ListHeader, type ViewAction } from './list/list-header.tsx'
import { DeleteView, EditView, SaveView } from './list/view-dialogs.tsx'
import { NothingOpen } from './nothing-open.tsx'
import { undoLast } from './state/changes.ts'
import { focusThread } from './state/focus-thread.ts'
import { type InboxSearch, readInboxSearch } from './state/search.ts'
import { useConversations } from './state/use-conversations.ts'
import { useSelection } from './state/use-selection.ts'
import { useThread } from './state/use-thread.ts'
import { useTriage } from './state/use-triage.ts'
import { everything, filterOf, useViews } from './state/views.ts'
import { ContextColumn, ContextSkeleton } from './thread/context.tsx'
import { NewMessage } from './thread/new-message.tsx'
import { type AskedFor, Thread } from './thread/thread.tsx'
import { type Asked, TriageDialog } from './thread/triage-dialogs.tsx'
import { useTriageKeys } from './use-keys.ts'

const route = getRouteApi('/frame/inbox-area')

export function Inbox() {
  const { data: channels } = useQuery(channelsQuery)
  const { id } = useParams({ strict: false })
  if (id !== undefined && id !== newConversation && !isRecordId(id))
    return <Missing what="conversation" back={pages.inbox} />
  return channels?.length === 0 && !id ? <NoChannels /> : <Conversations id={id} />
}

/** Nothing to read yet: what to do, and why. */
function NoChannels() {
  const { may } = useSignedIn()
  const [isConnecting, setConnecting] = useState(false)
  return (
    <Page title="Inbox" lead="All your conversations with customers, in one place.">
      <Message
        icon={MessagesSquare}
        title="Connect your first mailbox"
        action={
          <Button leftSection={<Plus size={15} />} onClick={() => setConnecting(true)}>
            Connect a mailbox
          </Button>
        }
      >
        Messages appear here next to the related people, deals and tasks. Your team and its agents answer them together.
        Works with any mailbox that supports IMAP and SMTP.
      </Message>
      {isConnecting && (
        <ConnectMailbox
          isPersonal={!may('channels.manage')}
          onDone={() => setConnecting(false)}
          onClose={() => setConnecting(false)}
        />
      )}
    </Page>
  )
}

function Conversations({ id }: { id: string | undefined }) {
  const navigate = useNavigate()
  const search: InboxSearch = route.useSearch()
  const isNarrow = useIsPhone()
  const isWide = useMediaQuery('(min-width: 78em)', true, { getInitialValueInEffect: false })
  const { views, view } = useViews(search)
  const filter = filterOf(view, search.filter)
  const list = useConversations({ filter, q: search.q, ...(search.sort && !search.q && { sort: search.sort }) })
  const selection = useSelection(list.rows.map((one) => one.id))
  const searchBox = useRef<HTMLInputElement>(null)
  const [isFiltering, setFiltering] = useState(Boolean(search.filter))
  const [asked, ask] = useState<Asked>()
  const [dialog, openDialog] = useState<ViewAction>()
  const [compose, setCompose] = useState<AskedFor>()
  const [isContextOpen, setContextOpen] = useState(false)
  useEffect(loadEditor, [])

  const { to } = search
  /** From the search of now, which someone may have typed while a change was being saved. */
  const go = (next: string | undefined, change: (now: InboxSearch) => InboxSearch, replace = false) => {
    const search = (now: Record<string, unknown>) => change(readInboxSearch(now))
    void navigate(
      next ? { to: conversationPage, params: { id: next }, search, replace } : { to: pages.inbox, search, replace },
    )
  }
  const open = (next: string | undefined) => go(next, ({ to: _, ...kept }) => kept)
  const change = (patch: Partial<InboxSearch>) => {
    selection.clear()
    const withPatch = (now: InboxSearch) =>
      Object.fromEntries(Object.entries({ ...now, ...patch }).filter(([, value]) => value))
    go(id, withPatch, patch.q !== undefined)
  }
  const shownIndex = list.rows.findIndex((one) => one.id === id)
  const step = (by: number) => {
    const next = list.rows[shownIndex < 0 ? 0 : Math.max(0, Math.min(list.rows.length - 1, shownIndex + by))]
    if (!next || next.id === id) return
    focusRow(next.id)
    open(next.id)
  }
  /** To the next one that stays, or the one before; on a phone to the list. */
  const leave = (ids: string[]) => {
    selection.clear()
    if (!id || !ids.includes(id)) return
    const rest = list.rows.filter((one, index) => index > shownIndex && !ids.includes(one.id))
    const before = list.rows.filter((one, index) => index < shownIndex && !ids.includes(one.id))
    const next = isNarrow ? undefined : (rest[0] ?? before.at(-1))?.id
    if (next) focusRow(next)
    open(next)
  }
  const triage = useTriage({
    fits: search.q || search.filter ? undefined : view.fits,
    onLeave: leave,
    onBack: open,
  })
  const current = useCurrent(id, list.rows)
  /** What a key acts on: what is selected, or what is open. */
  const target = (): Conversation[] =>
    selection.ids.size ? list.rows.filter((one) => selection.ids.has(one.id)) : current ? [current] : []
  const onTarget = (act: (of: Conversation[]) => void) => () => {
    const of = target()
    if (of.length) act(of)
  }
  const begin = (kind: Draft['kind']) => () => current && setCompose((now) => ({ kind, count: (now?.count ?? 0) + 1 }))
  const askFor = (what: Asked['what']) => onTarget((of) => ask({ what, of: what === 'merge' ? of.slice(0, 1) : of }))
  const toggleState = (of: Conversation[]) =>
    triage.setState(of, of.every(({ state }) => state === 'closed' || state === 'spam') ? 'open' : 'closed')
  const toggleSpam = (of: Conversation[]) =>
    triage.setState(of, of.every(({ state }) => state === 'spam') ? 'open' : 'spam')
  useTriageKeys({
    j: () => step(1),
    k: () => step(-1),
    Enter: focusThread,
    x: () => {
      if (id) selection.toggle(id, false)
    },
    e: onTarget(toggleState),
    s: askFor('snooze'),
    a: askFor('assign'),
    l: askFor('label'),
    m: askFor('merge'),
    r: begin('reply'),
    'Shift+r': begin('reply_all'),
    f: begin('forward'),
    n: begin('note'),
    u: onTarget((of) =>
      triage.read(
        of,
        of.every(({ is_unread }) => is_unread),
      ),
    ),
    '!': onTarget(toggleSpam),
    z: undoLast,
    '/': () => searchBox.current?.select(),
    'Shift+c': () => open(newConversation),
    Escape: () => {
      if (selection.ids.size) selection.clear()
      else if (isNarrow) open(undefined)
    },
  })

  const isNew = id === newConversation
  const sent = ({ conversation_id, isClosed }: { conversation_id: string; isClosed: boolean }) => {
    if (isNew) open(conversation_id)
    else if (isClosed && (view.fits || isNarrow)) leave([conversation_id])
  }
  const thread = isNew ? (
    <NewMessage to={to} onSent={sent} onLeave={() => open(undefined)} isNarrow={isNarrow} />
  ) : id ? (
    <Thread
      key={id}
      id={id}
      asked={compose}
      triage={triage}
      onSent={sent}
      onState={(state) => current && triage.setState([current], state)}
      onUnread={() => current && triage.read([current], false)}
      onAsk={(what) => current && ask({ what, of: [current] })}
      onBack={isNarrow ? () => open(undefined) : undefined}
      onContext={isWide ? undefined : () => setContextOpen(true)}
    />
  ) : (
    <NothingOpen onFirst={list.rows.length ? () => step(1) : undefined} />
  )
  const column = (
    <div className={css.list}>
      <ListHeader
        search={search}
        views={views}
        view={view}
        isHeading={!id}
        searchBox={searchBox}
        onSearch={change}
        isFiltering={isFiltering}
        onFilter={() => setFiltering(!isFiltering)}
        onAsk={openDialog}
      />
      {isFiltering && (
        <div className={css.filter}>
          <ConversationFilter value={search.filter ?? ''} onChange={(filter) => change({ filter })} />
        </div>
      )}
      <ConversationList
        list={list}
        view={view}
        search={search}
        shown={id}
        selected={selection.ids}
        onSelect={selection.toggle}
        onMove={step}
        onClear={() => change({ q: undefined, filter: undefined })}
        onEverywhere={() => change({ view: everything, filter: undefined })}
      />
      {selection.ids.size > 0 && (
        <SelectionBar said={`${selection.ids.size} selected`}>
          <BulkActions
            onClose={onTarget(toggleState)}
            onAssign={askFor('assign')}
            onLabel={askFor('label')}
            onSnooze={askFor('snooze')}
            onSpam={onTarget(toggleSpam)}
            onRead={onTarget((of) => triage.read(of, true))}
            onClear={selection.clear}
          />
        </SelectionBar>
      )}
    </div>
  )
  return (
    <div className={css.page}>
      <title>Inbox · Kith</title>
      <Offline>What you write is kept and will be saved when you’re back online.</Offline>
      {isNarrow ? (
        id ? (
          thread
        ) : (
          column
        )
      ) : (
        <Columns className={css.columns ?? ''}>
          <ResizableColumn name="inbox-list" label="Width of the list" edge="end" initial={29} narrowest={280}>
            {column}
          </ResizableColumn>
          {thread}
          {isWide && id && !isNew && (
            <ResizableColumn
              name="inbox-context"
              label="Width of people and records"
              edge="start"
              initial={21}
              narrowest={230}
            >
              <Context id={id} />
            </ResizableColumn>
          )}
        </Columns>
      )}
      {!isWide && id && !isNew && (
        <Drawer
          opened={isContextOpen}
          onClose={() => setContextOpen(false)}
          position={isNarrow ? 'bottom' : 'right'}
          size={isNarrow ? '80dvh' : 340}
          title="People and records"
          closeButtonProps={{ 'aria-label': 'Close' }}
          classNames={{ body: css.drawer }}
        >
          <Context id={id} />
        </Drawer>
      )}
      {asked && <TriageDialog asked={asked} triage={triage} onClose={() => ask(undefined)} />}
      {dialog === 'save' && (
        <SaveView
          filter={filter}
          onDone={(made) => change({ view: made.id, filter: undefined })}
          onClose={() => openDialog(undefined)}
        />
      )}
      {dialog === 'edit' && view.saved && <EditView view={view.saved} onClose={() => openDialog(undefined)} />}
      {dialog === 'delete' && view.saved && (
        <DeleteView
          view={view.saved}
          onDone={() => change({ view: undefined })}
          onClose={() => openDialog(undefined)}
        />
      )}
      {dialog === 'templates' && <Templates onClose={() => openDialog(undefined)} />}
    </div>
  )
}

function Context({ id }: { id: string }) {
  const { first, query } = useThread(id)
  return (
    <aside aria-label="People and records">
      {first ? <ContextColumn key={id} of={first} /> : query.isPending && <ContextSkeleton />}
    </aside>
  )
}

/** As the thread has it, which is newer than the list. */
function useCurrent(id: string | undefined, rows: Conversation[]) {
  const { first } = useThread(id ?? '')
  return first?.conversation ?? rows.find((one) => one.id === id)
}

type BulkProps = Record<`on${'Close' | 'Assign' | 'Label' | 'Snooze' | 'Spam' | 'Read' | 'Clear'}`, () => void>

const BulkActions = ({ onClear, ...acts }: BulkProps) => (
  <>
    {Object.entries(acts).map(([name, act]) => (
      <Button
        key={name}
        variant="default"
        size="compact-sm"
        aria-label={name === 'onRead' ? 'Mark as read' : undefined}
        onClick={act}
      >
        {name.slice(2)}
      </Button>
    ))}
    <Button variant="subtle" color="gray" size="compact-sm" aria-label="Clear selection" onClick={onClear}>
      <X size={14} />
    </Button>
  </>
)
