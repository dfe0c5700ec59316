import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Bot, Search, UserPlus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { memberPage } from '../../../client/areas.ts'
import { pagesOf } from '../../../client/pages.ts'
import { useSignedIn } from '../../../client/session.ts'
import { Badge, Initials } from '../../../ui/basics/avatar.tsx'
import { Filters } from '../../../ui/basics/layout.tsx'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { RowLink } from '../../../ui/page/rows.tsx'
import { type Column, DataTable } from '../../../ui/page/table.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import type { User, UserFilter } from '../../../users/users.ts'
import { CompanyPage } from '../company-area.tsx'
import { AddAgent, Invite } from './invite.tsx'
import css from './members.module.css'

export function Members() {
  const { company, may } = useSignedIn()
  const [dialog, open] = useState<'invite' | 'agent'>()
  const manages = may('members.manage')
  const [filter, setFilter] = useState<UserFilter>({ state: manages ? 'all' : 'active' })
  const close = () => open(undefined)
  return (
    <CompanyPage
      title="Members"
      lead={`The people and agents who work in ${company.name}.`}
      wide
      actions={
        manages && (
          <>
            <Button variant="default" leftSection={<Bot size={15} />} onClick={() => open('agent')}>
              Add agent
            </Button>
            <Button leftSection={<UserPlus size={15} />} onClick={() => open('invite')}>
              Invite
            </Button>
          </>
        )
      }
    >
      <MemberFilters filter={filter} states={manages} onChange={setFilter} />
      <MemberList filter={filter} />
      {dialog === 'invite' && <Invite onClose={close} />}
      {dialog === 'agent' && <AddAgent onClose={close} />}
    </CompanyPage>
  )
}

function MemberList({ filter }: { filter: UserFilter }) {
  const { may } = useSignedIn()
  const users = useInfiniteQuery({
    ...pagesOf(['users', 'list', filter], (cursor, signal) =>
      api.listUsers({ ...filter, limit: 50, cursor }, { signal }),
    ),
    placeholderData: keepPreviousData,
  })
  const none = (
    <Message icon={UsersRound} title="No matches">
      Check the spelling, or choose another state or kind.
    </Message>
  )
  const manages = may('members.manage')
  return (
    <LoadedList query={users} what="members" empty={none}>
      {(items) => (
        <DataTable
          label="Members"
          className={css.table}
          columns={manages ? [...columns, ...managedColumns] : columns}
          items={items}
          row={({ state }) => ({ 'data-away': state === 'deactivated' || undefined })}
        />
      )}
    </LoadedList>
  )
}

const columns: Column<User>[] = [
  { key: 'name', label: 'Name', bare: true, cell: (user) => <Who of={user} /> },
  { key: 'role', label: 'Role', cell: ({ role }) => <bdi>{role}</bdi> },
]
const managedColumns: Column<User>[] = [
  {
    key: 'seen',
    label: 'Last seen',
    cell: ({ last_seen_at }) => (last_seen_at ? <Ago at={last_seen_at} /> : <span className={css.dim}>Never</span>),
  },
  { key: 'factor', label: 'Two-factor', cell: (user) => <TwoFactor of={user} /> },
]

function Who({ of: user }: { of: User }) {
  const { me } = useSignedIn()
  return (
    <div className={css.who}>
      <Initials name={user.name} pictureId={user.picture_id} size={32} />
      <div>
        <span className={css.name}>
          <RowLink to={memberPage} params={{ id: user.id }}>
            {user.name}
          </RowLink>
          {user.id === me.id && <span className={css.you}>you</span>}
          <UserBadges of={user} />
        </span>
        {user.email && <span className={css.email}>{user.email}</span>}
      </div>
    </div>
  )
}

function TwoFactor({ of: { kind, two_factor } }: { of: User }) {
  if (kind === 'agent')
    return (
      <span className={css.dim} title="Agents sign in with keys only">
        –
      </span>
    )
  return two_factor ? 'On' : <span className={css.dim}>Off</span>
}

const states = [
  { value: 'all', label: 'Any state' },
  { value: 'active', label: 'Active' },
  { value: 'invited', label: 'Invited' },
  { value: 'deactivated', label: 'Deactivated' },
]
const kinds = [
  { value: 'any', label: 'People and agents' },
  { value: 'person', label: 'People' },
  { value: 'agent', label: 'Agents' },
]

type Props = { filter: UserFilter; states: boolean; onChange: (filter: UserFilter) => void }

function MemberFilters({ filter, states: hasStates, onChange }: Props) {
  const search = useDebouncedCallback((text: string) => onChange({ ...filter, q: text.trim() || undefined }), 250)
  return (
    <Filters>
      <TextInput
        data-wide
        aria-label="Search by name"
        placeholder="Search by name"
        leftSection={<Search size={14} />}
        maxLength={100}
        onChange={(event) => search(event.currentTarget.value)}
      />
      {hasStates && (
        <Select
          aria-label="State"
          data={states}
          value={filter.state}
          onChange={(state) => onChange({ ...filter, state: state as UserFilter['state'] })}
        />
      )}
      <Select
        aria-label="Kind"
        data={kinds}
        value={filter.kind ?? 'any'}
        onChange={(kind) => onChange({ ...filter, kind: kind === 'any' ? undefined : (kind as UserFilter['kind']) })}
      />
    </Filters>
  )
}

/** What sets a user apart from an active person. */
export const UserBadges = ({ of: { kind, state } }: { of: Pick<User, 'kind' | 'state'> }) => (
  <>
    {kind === 'agent' && <Badge tone="accent">Agent</Badge>}
    {state === 'invited' && <Badge tone="warn">Invited</Badge>}
    {state === 'deactivated' && <Badge>Deactivated</Badge>}
  </>
)
