import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { InboxIcon, SearchX } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { labelsQuery } from '../../../conversations/inbox.ts'
import { focusHeading } from '../../../ui/basics/keyboard.ts'
import { Failure, Message } from '../../../ui/basics/states.tsx'
import type { InboxSearch } from '../state/search.ts'
import type { Conversations } from '../state/use-conversations.ts'
import { everything, type View } from '../state/views.ts'
import { ConversationRow, rowId } from './conversation-row.tsx'
import css from './list.module.css'

type Props = {
  list: Conversations
  view: View
  search: InboxSearch
  shown: string | undefined
  selected: ReadonlySet<string>
  onSelect: (id: string, isRange: boolean) => void
  onMove: (step: number) => void
  onClear: () => void
  /** Searches in all conversations. */
  onEverywhere: () => void
}

const guessedHeight = 88

export function ConversationList(props: Props) {
  const { list, view, search, shown, selected, onSelect, onMove } = props
  const { rows, query, isWhole } = list
  const { data: labels = [] } = useQuery(labelsQuery)
  const scroller = useRef<HTMLDivElement>(null)
  const shownIndex = rows.findIndex(({ id }) => id === shown)
  const virtual = useVirtualizer({
    count: rows.length + (isWhole || query.isPending ? 0 : 1),
    getScrollElement: () => scroller.current,
    estimateSize: () => guessedHeight,
    getItemKey: (index) => rows[index]?.id ?? 'more',
    overscan: 6,
    // The one that is open stays, and the focus on it.
    rangeExtractor: (range) =>
      shownIndex < 0
        ? defaultRangeExtractor(range)
        : [...new Set([...defaultRangeExtractor(range), shownIndex])].sort((a, b) => a - b),
  })
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {}
  useEffect(() => list.seen(startIndex, endIndex))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another one is opened
  useEffect(() => {
    if (shownIndex >= 0) virtual.scrollToIndex(shownIndex, { align: 'auto' })
  }, [shown])
  const follow = useFocusKept(shown)
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    onMove(step)
  }
  if (query.isPending) return <Waiting />
  if (query.isError && !rows.length)
    return <Failure error={query.error} onRetry={() => void query.refetch()} busy={query.isFetching} />
  const everywhere = search.q && (view.key !== everything || search.filter) && (
    <Button variant="default" onClick={props.onEverywhere}>
      Search all conversations
    </Button>
  )
  if (!rows.length) return <Nothing {...props} everywhere={everywhere} />
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears the arrow keys of the links inside
    <div
      ref={scroller}
      className={css.scroller}
      data-keeps-focus
      data-old={list.isOld || undefined}
      aria-busy={list.isOld || undefined}
      onKeyDown={press}
      onFocus={follow}
    >
      <ul aria-label="Conversations" className={css.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const conversation = rows[index]
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={css.place}
              style={{ transform: `translateY(${start}px)` }}
            >
              {conversation ? (
                <ConversationRow
                  of={conversation}
                  search={search}
                  labels={labels}
                  isShown={conversation.id === shown}
                  isSelected={selected.has(conversation.id)}
                  onSelect={onSelect}
                />
              ) : query.isError ? (
                <div className={css.more}>
                  <Button variant="default" size="compact-sm" onClick={() => void query.fetchNextPage()}>
                    Retry
                  </Button>
                </div>
              ) : (
                <Skeleton height={70} m="sm" />
              )}
            </li>
          )
        })}
      </ul>
      {isWhole && everywhere && <div className={css.everywhere}>{everywhere}</div>}
    </div>
  )
}

/** Where the row that has the focus leaves the list, the one that is shown next gets it. */
function useFocusKept(shown: string | undefined) {
  const last = useRef<Element>(undefined)
  useEffect(() => {
    if (!last.current || last.current.isConnected) return
    const isLost = document.activeElement === document.body
    const next = shown && document.getElementById(rowId(shown))
    if (isLost && next) next.focus({ preventScroll: true })
    if (isLost && !shown) focusHeading()
    if (!isLost || !shown) last.current = undefined
  })
  return ({ target }: FocusEvent<Element>) => {
    last.current = target
  }
}

/** The focus follows while it is in the list. */
export function focusRow(id: string) {
  const isInside = document.activeElement?.closest('[data-keeps-focus]')
  if (isInside) requestAnimationFrame(() => document.getElementById(rowId(id))?.focus({ preventScroll: true }))
}

const Waiting = () => (
  <div role="status" aria-label="Loading conversations" className={css.waiting}>
    {[0, 1, 2, 3, 4].map((one) => (
      <Skeleton key={one} height={64} radius="md" />
    ))}
  </div>
)

type NothingProps = Pick<Props, 'view' | 'search' | 'onClear'> & { everywhere: ReactNode }

function Nothing({ view, search: { q, filter }, onClear, everywhere }: NothingProps) {
  if (q || filter)
    return (
      <Message
        icon={SearchX}
        title="No conversations match"
        action={
          <div className={css.ways}>
            {everywhere}
            <Button variant="default" onClick={onClear}>
              {q ? 'Clear search' : 'Clear filter'}
            </Button>
          </div>
        }
      >
        {everywhere ? `Only “${view.label}” was searched.` : 'Try other words.'}
      </Message>
    )
  return (
    <Message icon={InboxIcon} title={view.key === 'mine' ? 'You’re all caught up' : 'Nothing here'}>
      {empty[view.key] ?? 'Conversations in this view will appear here.'}
    </Message>
  )
}

const empty: Record<string, string> = {
  mine: 'Conversations assigned to you appear here.',
  unassigned: 'Every open conversation is assigned.',
  all: 'All conversations are closed or snoozed. New messages appear here.',
  drafts: 'Your unsent replies and notes appear here.',
  snoozed: 'Snoozed conversations stay here until the snooze ends or a new message arrives.',
  closed: 'Closed conversations are kept here. They reopen when a new message arrives.',
  spam: 'Conversations marked as spam are kept here.',
}
