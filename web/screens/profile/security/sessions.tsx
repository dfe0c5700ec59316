import { Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { pages } from '../../../../contract/shared/pages.ts'
import { clientWords, isHandheld } from '../../../account/passkeys.ts'
import { api } from '../../../client/api.ts'
import { allItems } from '../../../client/pages.ts'
import { Badge } from '../../../ui/basics/avatar.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { RowOf, Rows } from '../../../ui/page/rows.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { asDay } from '../../../ui/text/moments.ts'
import css from './security.module.css'

type Session = Output<typeof contract.listSessions>['items'][number]

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => allItems((cursor) => api.listSessions({ cursor })),
})

export function Sessions() {
  const sessions = useQuery(sessionsQuery)
  return (
    <Loaded query={sessions} what="sessions" height={120}>
      {(items) => (
        <>
          <Rows label="Your sessions">
            {items.map((session) => (
              <OneSession key={session.id} of={session} />
            ))}
          </Rows>
          <div className={css.actions}>
            <SignOutEverywhere />
          </div>
        </>
      )}
    </Loaded>
  )
}

function OneSession({ of: { id, client, ip, created_at, last_seen_at, is_current } }: { of: Session }) {
  const name = clientWords(client)
  return (
    <RowOf
      icon={isHandheld(client) ? Smartphone : Monitor}
      title={
        <>
          <span title={client ?? undefined}>{name}</span>
          {is_current && <Badge tone="accent">This browser</Badge>}
        </>
      }
      note={
        <>
          {ip && `${ip} · `}Signed in {asDay(created_at)} · {is_current ? 'in use now' : <SeenAt at={last_seen_at} />}
        </>
      }
    >
      {!is_current && <EndSession id={id} name={name} />}
    </RowOf>
  )
}

const SeenAt = ({ at }: { at: string }) => (
  <>
    last seen <Ago at={at} />
  </>
)

function EndSession({ id, name }: { id: string; name: string }) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.deleteSession({ id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      say(`${name} is signed out`)
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    },
    onError: (error) => complain('The session was not ended', error),
  })
  return (
    <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()} aria-label={`Sign out ${name}`}>
      Sign out
    </Button>
  )
}

export function SignOutEverywhere() {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.signOutEverywhere({}),
    onSuccess: () => location.assign(pages.signIn),
    onError: (error) => complain('Your sessions were not ended', error),
  })
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate()}>
      Sign out everywhere
    </Button>
  )
}
