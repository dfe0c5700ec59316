import { useInfiniteQuery } from '@tanstack/react-query'
import { Activity as ActivityIcon, PencilLine } from 'lucide-react'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { summaries } from '../../../../contract/shared/summaries.ts'
import { api } from '../../../client/api.ts'
import { pagesOf } from '../../../client/pages.ts'
import { useSignedIn } from '../../../client/session.ts'
import { ActivityList } from '../../../history/activity-list.tsx'
import { Badge } from '../../../ui/basics/avatar.tsx'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { Section } from '../../../ui/basics/page.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { RowOf, Rows } from '../../../ui/page/rows.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { CopyCode } from '../../../ui/text/code.tsx'
import { ProfilePage } from '../profile-page.tsx'
import css from './activity.module.css'

export const Activity = () => (
  <ProfilePage
    title="My changes"
    lead="What you changed in the web app and via your keys and agents. You can undo any of it."
  >
    <div className={css.changes}>
      <Changes />
    </div>
    <Section title="Requests" about="Every request made in your name. Support can look one up by its ID.">
      <Requests />
    </Section>
  </ProfilePage>
)

function Changes() {
  const { me } = useSignedIn()
  return (
    <ActivityList
      filter={{ actor_id: me.id }}
      nothing={
        <Message icon={PencilLine} title="No changes yet">
          What you create, change or delete appears here, and can be undone.
        </Message>
      }
    />
  )
}

function Requests() {
  const requests = useInfiniteQuery({
    ...pagesOf(['my-requests'], (cursor) => api.listMyRequests({ limit: 30, cursor })),
    select: ({ pages }) => ({ pages: pages.map(({ items }) => ({ items: items.filter(isOwnDoing) })) }),
  })
  const none = (
    <Message icon={ActivityIcon} title="No requests yet">
      Requests appear here shortly after they are made.
    </Message>
  )
  return (
    <LoadedList query={requests} what="requests" height={180} empty={none}>
      {(items) => (
        <Rows label="Your requests">
          {items.map((entry) => (
            <RequestRow key={entry.request_id} of={entry} />
          ))}
        </Rows>
      )}
    </LoadedList>
  )
}

/** Requests that the app sends by itself: session checks and live updates. */
const isOwnDoing = ({ operation, route }: Entry) => operation !== 'getSession' && !route.endsWith('/live')

type Entry = Output<typeof contract.listMyRequests>['items'][number]

const doorNames: Record<Entry['via'], string> = {
  web: 'Web app',
  rest: 'REST API',
  mcp: 'MCP',
  import: 'Import',
  lead_form: 'Lead form',
  inbox: 'Inbox',
  automation: 'Automation',
  public: 'Link',
}
const inWords = (operation: string | null) => (operation ? summaries[operation] : undefined)

const RequestRow = ({ of: entry }: { of: Entry }) => (
  <RowOf
    title={
      <>
        {inWords(entry.operation) ?? `${entry.method} ${entry.route}`}
        {entry.status >= 400 && (
          <Badge tone="warn">
            {entry.status} {entry.status < 500 ? 'Refused' : 'Failed'}
          </Badge>
        )}
      </>
    }
    note={
      <>
        <Ago at={entry.at} /> · {by(entry)} · {Math.round(entry.duration_ms)} ms
      </>
    }
  >
    <span className={css.id}>
      <CopyCode value={entry.request_id} what="request id" />
    </span>
  </RowOf>
)

/** A browser is the web app itself; a program is named as it calls itself. */
const by = ({ via, client }: Pick<Entry, 'via' | 'client'>) =>
  via === 'web' || !client ? doorNames[via] : `${doorNames[via]}, ${client}`
