import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  FlaskConical,
  Globe,
  type LucideIcon,
  Mail,
  Pencil,
  Plus,
  Send,
  Share2,
  Trash2,
  UsersRound,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../../../client/api.ts'
import { Panel, PartTitle } from '../../../ui/basics/layout.tsx'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { Confirm } from '../../../ui/form/dialog.tsx'
import { RowMenu } from '../../../ui/page/rows.tsx'
import { type Column, DataTable } from '../../../ui/page/table.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import css from '../shared/lead-sending.module.css'
import { type Destination, destinationsQuery, routesQuery, useChanged } from '../shared/queries.ts'
import { useSendingSearch } from '../shared/search.ts'
import { DestinationForm } from './destination-form.tsx'
import { DestinationTest } from './destination-test.tsx'

export type OpenDestination = { kind: 'new' } | { kind: 'edit' | 'test' | 'delete'; of: Destination }

export const kindIcons: Record<Destination['kind'], LucideIcon> = {
  http: Globe,
  email: Mail,
  members: UsersRound,
  kith: Share2,
}

type Open = (kind: 'edit' | 'test' | 'delete', of: Destination) => void

const columns = (open: Open): Column<Destination>[] => [
  {
    key: 'name',
    label: 'Name',
    bare: true,
    cell: (one) => {
      const Icon = kindIcons[one.kind]
      return (
        <>
          <span className={css.named}>
            <Icon size={15} />
            <button type="button" className={css.link} onClick={() => open('edit', one)}>
              {one.name}
            </button>
          </span>
          {one.problem && <span className={css.fault}>{one.problem}</span>}
          {one.unknown > 0 && (
            <Count of={one} state="unknown">
              {asNumber(one.unknown)} to resolve
            </Count>
          )}
        </>
      )
    },
  },
  { key: 'to', label: 'Sends to', cell: targetOf },
  {
    key: 'routes',
    label: 'Routes',
    cell: ({ routes }) => (routes ? asNumber(routes) : <span className={css.warning}>None yet</span>),
  },
  {
    key: 'accepted',
    label: 'Accepted, 30 days',
    cell: (one) => (
      <Count of={one} state="accepted">
        {asNumber(one.accepted_30d)}
      </Count>
    ),
  },
  {
    key: 'rejected',
    label: 'Rejected, 30 days',
    cell: (one) => (
      <Count of={one} state="rejected">
        {asNumber(one.rejected_30d)}
      </Count>
    ),
  },
  {
    key: 'last',
    label: 'Last lead',
    cell: ({ last_sent_at }) => (last_sent_at ? <Ago at={last_sent_at} /> : <span className={css.dim}>Never</span>),
  },
  {
    key: 'menu',
    label: 'Actions',
    isQuiet: true,
    cell: (one) => (
      <RowMenu
        of={one.name}
        actions={[
          { label: 'Edit', icon: Pencil, open: () => open('edit', one) },
          ...(one.kind === 'members'
            ? []
            : [{ label: 'Send a test', icon: FlaskConical, open: () => open('test', one) }]),
          { label: 'Delete', icon: Trash2, open: () => open('delete', one) },
        ]}
      />
    ),
  },
]

/** Who can get leads. */
export function Destinations() {
  const destinations = useQuery(destinationsQuery)
  const routes = useQuery(routesQuery)
  const { openTab } = useSendingSearch()
  const [open, setOpen] = useState<OpenDestination>()
  const add = (
    <Button leftSection={<Plus size={15} />} onClick={() => setOpen({ kind: 'new' })}>
      Add destination
    </Button>
  )
  const none = (
    <Message icon={Send} title="No destinations yet" action={add}>
      Add each partner, buyer, team or system that gets leads. Then add a route that sends leads to it.
    </Message>
  )
  return (
    <>
      {destinations.data?.length ? (
        <PartTitle title="Destinations" about="Who can get leads, and how they are sent." action={add} />
      ) : null}
      <LoadedList query={destinations} what="destinations" height={180} empty={none}>
        {(items) => (
          <>
            {routes.data?.length === 0 && (
              <Panel sunken className={css.next}>
                <span>
                  Next: add a route that says which leads go to {items.length === 1 ? items[0]!.name : 'whom'}.
                </span>
                <Button variant="default" size="xs" onClick={() => openTab('routes')}>
                  Go to routes
                </Button>
              </Panel>
            )}
            <DataTable
              label="Destinations"
              className={css.destinations}
              columns={columns((kind, of) => setOpen({ kind, of }))}
              items={items}
            />
          </>
        )}
      </LoadedList>
      {open && <DestinationDialog open={open} onOpen={setOpen} />}
    </>
  )
}

type CountProps = { of: Destination; state: 'accepted' | 'rejected' | 'unknown'; children: ReactNode }

/** Leads to the deliveries that it counts. */
const Count = ({ of: { id, name }, state, children }: CountProps) => (
  <Link
    to="/lead-sending"
    search={{ tab: 'deliveries', destination: id, state }}
    className={state === 'unknown' ? css.warning : css.figure}
    aria-label={`Show ${state} leads of ${name}`}
  >
    {children}
  </Link>
)

function targetOf({ http, email, members, kith }: Destination) {
  if (http) return `${http.method} ${http.url.replace(/^https?:\/\//, '')}`
  if (email) return email.to.join(', ')
  if (kith) return `Kith at ${kith.url.replace(/^https?:\/\//, '')}`
  const count = members?.user_ids.length ?? 0
  return count === 1 ? 'One user' : `${count} users, round robin`
}

type DialogProps = { open: OpenDestination; onOpen: (next?: OpenDestination) => void }

/** Whatever is done with a destination, each in a dialog. */
export function DestinationDialog({ open, onOpen }: DialogProps) {
  const changed = useChanged()
  const close = () => onOpen(undefined)
  if (open.kind === 'test') return <DestinationTest of={open.of} onClose={close} />
  if (open.kind === 'delete')
    return (
      <Confirm
        title={`Delete ${open.of.name}?`}
        action="Delete destination"
        act={() => api.deleteLeadDestination({ id: open.of.id })}
        onDone={() => {
          say('Destination deleted')
          return changed()
        }}
        onClose={close}
      >
        Its deliveries and reports are kept. A destination used by a route cannot be deleted.
      </Confirm>
    )
  return (
    <DestinationForm
      {...(open.kind === 'edit' && { destination: open.of })}
      onSaved={async (saved, wantsTest) => {
        say('Destination saved')
        await changed()
        onOpen(wantsTest ? { kind: 'test', of: saved } : undefined)
      }}
      onClose={close}
    />
  )
}
