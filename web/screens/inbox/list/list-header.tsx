import { ActionIcon, CloseButton, Menu, TextInput, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import {
  ChartColumn,
  ChevronDown,
  FileText,
  ListFilter,
  Mailbox,
  PenLine,
  Save,
  Search,
  Settings2,
  Timer,
  Trash2,
  Users,
  Workflow,
} from 'lucide-react'
import type { RefObject } from 'react'
import { companySections, conversationPage, mailboxes, newConversation } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { ItemLink } from '../../../ui/basics/menu-links.tsx'
import { useAddressText } from '../../../ui/form/use-address-text.ts'
import { asNumber } from '../../../ui/text/numbers.ts'
import type { InboxSearch } from '../state/search.ts'
import type { View } from '../state/views.ts'
import css from './list.module.css'

export type ViewAction = 'save' | 'edit' | 'delete' | 'templates'

type Props = {
  search: InboxSearch
  views: View[]
  view: View
  /** The heading of the page, unless a conversation has it. */
  isHeading: boolean
  searchBox: RefObject<HTMLInputElement | null>
  onSearch: (change: Partial<InboxSearch>) => void
  isFiltering: boolean
  onFilter: () => void
  onAsk: (what: ViewAction) => void
}

const most = 999

export function ListHeader(props: Props) {
  const { search, view, isHeading, isFiltering, onFilter } = props
  return (
    <header className={css.header}>
      <div className={css.top}>
        {isHeading ? <h1 tabIndex={-1}>Inbox</h1> : <p className={css.title}>Inbox</p>}
        <Tooltip label="New message (Shift+C)">
          <ActionIcon
            variant="default"
            size={32}
            aria-label="New message"
            renderRoot={(link) => (
              <Link {...link} to={conversationPage} params={{ id: newConversation }} search={search} />
            )}
          >
            <PenLine size={15} />
          </ActionIcon>
        </Tooltip>
        <More {...props} />
      </div>
      <Views {...props} />
      <div className={css.find}>
        <SearchField {...props} />
        <ActionIcon
          variant={search.filter ? 'light' : 'subtle'}
          color={search.filter ? 'pine' : 'gray'}
          size={32}
          aria-label="Filter"
          title="Filter"
          aria-expanded={isFiltering}
          onClick={onFilter}
        >
          <ListFilter size={16} />
        </ActionIcon>
        <ActionIcon
          variant={search.sort ? 'light' : 'subtle'}
          color={search.sort ? 'pine' : 'gray'}
          size={32}
          aria-label="Sort by due time"
          title={search.q ? 'Search results are sorted by newest match' : 'Sort by due time'}
          aria-pressed={search.sort !== undefined}
          disabled={search.q !== undefined}
          onClick={() => props.onSearch({ sort: search.sort ? undefined : 'due' })}
        >
          <Timer size={16} />
        </ActionIcon>
      </div>
      {view.words && <p className={css.words}>{view.words}</p>}
      {view.saved?.filter_error && (
        <p role="alert" className={css.broken}>
          This view no longer works: {view.saved.filter_error}
        </p>
      )}
    </header>
  )
}

const count = (of: number | undefined) =>
  of ? <span className={css.number}>{of >= most ? `${asNumber(most)}+` : asNumber(of)}</span> : null

/** The three that people work with, and a list of the others. */
function Views({ views, view, onSearch }: Props) {
  const near = views.slice(0, 3)
  const others = views.slice(3)
  const isFar = others.includes(view)
  const groups = [...Map.groupBy(others, ({ group }) => group)]
  const open = ({ key }: View) => onSearch({ view: key, filter: undefined })
  return (
    <nav aria-label="Views" className={css.views}>
      {near.map((one) => (
        <button
          key={one.key}
          type="button"
          className={css.view}
          aria-current={one === view ? 'true' : undefined}
          onClick={() => open(one)}
        >
          {one.label} {count(one.count)}
        </button>
      ))}
      <Menu position="bottom-end" width={250}>
        <Menu.Target>
          <button
            type="button"
            className={css.view}
            aria-current={isFar ? 'true' : undefined}
            aria-label={isFar ? `View: ${view.label}` : 'More views'}
          >
            <span>{isFar ? view.label : 'More'}</span> {isFar && count(view.count)}
            <ChevronDown size={13} />
          </button>
        </Menu.Target>
        <Menu.Dropdown className={css.menu}>
          {groups.map(([group, some], index) => (
            <div key={group}>
              {index > 0 && <Menu.Divider />}
              {group !== 'Inbox' && <Menu.Label>{group}</Menu.Label>}
              {some.map((one) => {
                const Icon = one.icon
                return (
                  <Menu.Item
                    key={one.key}
                    leftSection={<Icon size={14} />}
                    rightSection={one.saved?.is_shared ? <Users size={13} aria-label="Shared" /> : count(one.count)}
                    onClick={() => open(one)}
                  >
                    <bdi>{one.label}</bdi>
                  </Menu.Item>
                )
              })}
            </div>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  )
}

function More({ view, onAsk }: Props) {
  const { may } = useSignedIn()
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <IconButton icon={Settings2} label="Inbox settings" size={32} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Save size={14} />} onClick={() => onAsk('save')}>
          Save as a view
        </Menu.Item>
        {view.saved?.is_mine && (
          <>
            <Menu.Item leftSection={<PenLine size={14} />} onClick={() => onAsk('edit')}>
              Edit the view {view.label}
            </Menu.Item>
            <Menu.Item leftSection={<Trash2 size={14} />} onClick={() => onAsk('delete')}>
              Delete the view {view.label}
            </Menu.Item>
          </>
        )}
        <Menu.Item leftSection={<FileText size={14} />} onClick={() => onAsk('templates')}>
          Templates
        </Menu.Item>
        <Menu.Divider />
        {may('channels.manage') && (
          <>
            <ItemLink leftSection={<Users size={14} />} to={companySections.channels.to}>
              Channels and labels
            </ItemLink>

            <ItemLink leftSection={<Workflow size={14} />} to={companySections.inboxRules.to}>
              Rules
            </ItemLink>
            <ItemLink leftSection={<Timer size={14} />} to={companySections.workingHours.to}>
              Working hours and targets
            </ItemLink>
          </>
        )}
        <ItemLink leftSection={<ChartColumn size={14} />} to={companySections.inboxReport.to}>
          Report
        </ItemLink>
        <ItemLink leftSection={<Mailbox size={14} />} to={mailboxes}>
          My mailboxes
        </ItemLink>
      </Menu.Dropdown>
    </Menu>
  )
}

function SearchField({ search: { q = '' }, searchBox, onSearch }: Props) {
  const { text, type, sendNow } = useAddressText(q, (words) => onSearch({ q: words || undefined }))
  return (
    <TextInput
      ref={searchBox}
      type="search"
      size="xs"
      className={css.search}
      aria-label="Search conversations"
      placeholder="Search conversations"
      maxLength={200}
      leftSection={<Search size={14} />}
      rightSection={text !== '' && <CloseButton size="xs" aria-label="Clear search" onClick={() => type('')} />}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') sendNow()
        if (event.key !== 'Escape') return
        event.stopPropagation()
        if (text) type('')
        else event.currentTarget.blur()
      }}
    />
  )
}
