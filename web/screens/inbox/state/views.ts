import { useQuery } from '@tanstack/react-query'
import {
  AlarmClock,
  Bot,
  CalendarClock,
  CircleCheck,
  CircleUserRound,
  Inbox,
  type LucideIcon,
  Mail,
  MessagesSquare,
  OctagonAlert,
  PencilLine,
  Table2,
  Timer,
  UserRoundX,
} from 'lucide-react'
import { channelsQuery } from '../../../channels/channels.ts'
import { useSignedIn } from '../../../client/session.ts'
import {
  type Conversation,
  countsQuery,
  type InboxView,
  labelsQuery,
  viewsQuery,
} from '../../../conversations/inbox.ts'
import type { InboxSearch } from './search.ts'

/** `fits`: whether a conversation that was changed here stays in the view; left out where only the server knows. */
export type View = {
  key: string
  label: string
  icon: LucideIcon
  group: 'Inbox' | 'Channels' | 'Views'
  filter: string
  count?: number | undefined
  fits?: (conversation: Conversation) => boolean
  saved?: InboxView
  /** Its filter with names for IDs. */
  words?: string | undefined
}

/** The view of all that one may read, in any state. */
export const everything = 'everything'

const isState = (state: Conversation['state']) => (one: Conversation) => one.state === state
const isOpen = isState('open')

/** Every view that can be chosen, and the one that is. */
export function useViews(search: InboxSearch) {
  const { me } = useSignedIn()
  const { data: counts } = useQuery(countsQuery)
  const { data: channels = [] } = useQuery(channelsQuery)
  const { data: saved = [] } = useQuery(viewsQuery)
  const { data: labels = [] } = useQuery(labelsQuery)
  const usual: View[] = [
    {
      key: 'mine',
      label: 'Mine',
      icon: CircleUserRound,
      group: 'Inbox',
      filter: 'state = open and assignee = me',
      count: counts?.mine,
      fits: (one) => isOpen(one) && one.assignee_id === me.id,
    },
    {
      key: 'unassigned',
      label: 'Unassigned',
      icon: UserRoundX,
      group: 'Inbox',
      filter: 'state = open and assignee is empty',
      count: counts?.unassigned,
      fits: (one) => isOpen(one) && one.assignee_id === null,
    },
    {
      key: 'all',
      label: 'All open',
      icon: Inbox,
      group: 'Inbox',
      filter: 'state = open',
      count: counts?.all,
      fits: isOpen,
    },
    {
      key: 'overdue',
      label: 'Overdue',
      icon: Timer,
      group: 'Inbox',
      filter: 'state in (open, snoozed) and is_overdue = true',
    },
    {
      key: 'drafts',
      label: 'Drafts',
      icon: PencilLine,
      group: 'Inbox',
      filter: 'has_draft = true',
    },
    {
      key: 'proposals',
      label: 'To approve',
      icon: Bot,
      group: 'Inbox',
      filter: 'has_proposal = true',
    },
    {
      key: 'scheduled',
      label: 'Scheduled',
      icon: CalendarClock,
      group: 'Inbox',
      filter: 'is_scheduled = true',
    },
    {
      key: 'snoozed',
      label: 'Snoozed',
      icon: AlarmClock,
      group: 'Inbox',
      filter: 'state = snoozed',
      fits: isState('snoozed'),
    },
    {
      key: 'closed',
      label: 'Closed',
      icon: CircleCheck,
      group: 'Inbox',
      filter: 'state = closed',
      fits: isState('closed'),
    },
    { key: 'spam', label: 'Spam', icon: OctagonAlert, group: 'Inbox', filter: 'state = spam', fits: isState('spam') },
    { key: everything, label: 'All conversations', icon: MessagesSquare, group: 'Inbox', filter: '' },
  ]
  const ofChannels = channels.map(
    (channel): View => ({
      key: channel.id,
      label: channel.name,
      icon: Mail,
      group: 'Channels',
      filter: `state = open and channel = "${channel.id}"`,
      count: counts?.channels.find(({ id }) => id === channel.id)?.count,
      fits: (one) => isOpen(one) && one.channel_id === channel.id,
    }),
  )
  const ofUser = saved.map(
    (view): View => ({
      key: view.id,
      label: view.name,
      icon: Table2,
      group: 'Views',
      filter: view.filter ?? '',
      saved: view,
      words: view.filter?.replace(/"([-0-9a-f]{36})"/g, (whole, id) => {
        const known = [...channels, ...labels].find((one) => one.id === id)
        return known ? `"${known.name}"` : whole
      }),
    }),
  )
  const views = [...usual, ...ofChannels, ...ofUser]
  return { views, view: views.find(({ key }) => key === search.view) ?? usual[2]! }
}

/** What the list asks for: the view, and what was added to it. */
export function filterOf(view: View, more: string | undefined) {
  const parts = [view.filter, more ?? ''].filter((part) => part.trim())
  return parts.length > 1 ? parts.map((part) => `(${part})`).join(' and ') : parts[0]
}
