import { SegmentedControl, Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useState } from 'react'
import { Panel } from '../basics/layout.tsx'
import { itemsOf, LoadedList } from '../basics/loaded.tsx'
import { useIsUpTo } from '../basics/screen.ts'
import { Dialog } from '../form/dialog.tsx'
import css from './log.module.css'

type Entry = { id: string }

type Props<Item extends Entry> = {
  query: ComponentProps<typeof LoadedList<Item>>['query']
  /** The noun for one, as it begins a title: "Delivery". */
  one: string
  /** "deliveries" */
  many: string
  /** What the list is limited to, as text. With another one, its first entry is shown. */
  filter: string
  /** The entry that the address names. */
  shown: string | undefined
  onClose: () => void
  empty: ReactNode
  row: (item: Item, isShown: boolean) => ReactNode
  detail: (id: string) => ReactNode
}

/** What happened, newest first, and beside it everything about one entry; on narrow screens, above it. */
export function Log<Item extends Entry>({ query, one, many, filter, empty, row, detail, ...props }: Props<Item>) {
  const isNarrow = useIsUpTo('tablet')
  const first = useFirst(itemsOf(query), filter)
  const shown = props.shown ?? (isNarrow ? undefined : first)
  return (
    <>
      <LoadedList query={query} what={many} height={360} empty={empty}>
        {(items) => (
          <div className={css.log}>
            <Panel as="ol" divided className={css.list} aria-label={capital(many)} onKeyDown={moveFocus}>
              {items.map((item) => row(item, item.id === shown))}
            </Panel>
            {shown && !isNarrow && (
              <Panel as="section" className={css.detail} aria-label={one} key={shown}>
                {detail(shown)}
              </Panel>
            )}
          </div>
        )}
      </LoadedList>
      {shown && isNarrow && (
        <Dialog title={one} size={720} tall onClose={props.onClose}>
          {detail(shown)}
        </Dialog>
      )}
    </>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

type RowProps = {
  /** What the address says when it is shown. */
  search: Record<string, string>
  isShown: boolean
  /** It came while one looked. */
  isNew?: boolean
  className?: string | undefined
  children: ReactNode
}

export const LogRow = ({ search, isShown, isNew = false, className = '', children }: RowProps) => (
  <li data-new={isNew || undefined}>
    <Link
      to="."
      search={(before) => ({ ...before, ...search })}
      replace
      resetScroll={false}
      className={`${css.row} ${className}`}
      aria-current={isShown ? 'true' : undefined}
    >
      {children}
    </Link>
  </li>
)

type StatesProps = {
  of: { value: string; label: string }[]
  value: string | undefined
  onChange: (state: string | null) => void
}

/** Which state is listed; the first one is all of them. A menu where they do not fit side by side. */
export function LogStates({ of, value, onChange }: StatesProps) {
  const props = { 'aria-label': 'State', data: of, value: value ?? of[0]!.value, onChange }
  return useIsUpTo('tablet') ? <Select {...props} /> : <SegmentedControl {...props} />
}

/** What narrows the log, above it. */
export const LogTools = ({ children }: { children: ReactNode }) => <div className={css.tools}>{children}</div>

/** The title of an entry, with what can be done with it. */
export const LogHead = ({ children }: { children: ReactNode }) => <header className={css.head}>{children}</header>

/** A request and its response, below the attempt that they belong to. */
export const LogExchange = ({ children }: { children: ReactNode }) => <div className={css.exchange}>{children}</div>

/** Why an entry is as it is. */
export const LogReason = ({ tone, children }: { tone: 'warn' | 'bad'; children: ReactNode }) => (
  <p className={css.reason} data-tone={tone}>
    {children}
  </p>
)

/** The newest one when the list was opened: others that arrive do not take its place. */
function useFirst(items: Entry[], filter: string) {
  const [first, setFirst] = useState<{ id: string; filter: string }>()
  const newest = items[0]?.id
  const isKnown = first && first.filter === filter && items.some(({ id }) => id === first.id)
  if (newest && !isKnown) setFirst({ id: newest, filter })
  return isKnown ? first.id : newest
}

/** With the arrow keys from one entry to the next. */
function moveFocus(event: KeyboardEvent<HTMLOListElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const links = [...event.currentTarget.querySelectorAll('a')]
  const next = links[links.indexOf(event.target as HTMLAnchorElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
