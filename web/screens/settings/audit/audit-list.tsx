import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight, ScrollText } from 'lucide-react'
import type { AuditAction } from '../../../../contract/audit.ts'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { pagesOf } from '../../../client/pages.ts'
import { nameOfDoor } from '../../../history/done-by.tsx'
import { Panel } from '../../../ui/basics/layout.tsx'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { CopyCode } from '../../../ui/text/code.tsx'
import { asFull, momentsOf } from '../../../ui/text/moments.ts'
import { useNames } from '../../../users/users.ts'
import { sentenceOf } from '../audit-words.ts'
import css from './audit.module.css'

export function AuditList({ filter }: { filter: AuditFilter }) {
  const nameOf = useNames()
  const events = useInfiniteQuery({
    ...pagesOf(['audit', filter], (cursor) => api.listAuditEvents({ ...asked(filter), limit: 50, cursor })),
    placeholderData: keepPreviousData,
  })
  const none = (
    <Message icon={ScrollText} title="No matches">
      Choose another event, another user or a longer period.
    </Message>
  )
  return (
    <LoadedList query={events} what="the audit log" height={360} empty={none}>
      {(items) => (
        <Panel as="ul" divided className={css.entries} aria-label="Events">
          {items.map((event) => (
            <AuditEntry key={event.id} of={event} nameOf={nameOf} />
          ))}
        </Panel>
      )}
    </LoadedList>
  )
}

type AuditEvent = Output<typeof contract.listAuditEvents>['items'][number]

type Props = { of: AuditEvent; nameOf: (id: unknown) => string }

/** Who did what, when and via which interface; the rest on demand. */
function AuditEntry({ of: event, nameOf }: Props) {
  const { action, actor_id, actor_name, target_id, target_name, data } = event
  const self = actor_id !== null && actor_id === target_id
  // Users always have one: what has none is something else.
  const name = target_name ?? 'someone'
  const told = {
    data,
    target: self ? 'themselves' : name,
    targets: self ? 'their own' : `${name}'s`,
    other: self || !target_id ? '' : name,
    nameOf,
    isActor: (id: unknown) => id === actor_id,
  }
  return (
    <li className={css.entry}>
      <details>
        <summary>
          <ChevronRight size={14} className={css.arrow} />
          <span className={css.words} data-tone={isRefusal(action) ? 'warn' : undefined}>
            <bdi className={css.actor}>{actor_name ?? (event.via === 'automation' ? 'Kith' : 'Someone')}</bdi>{' '}
            {sentenceOf(action, told)}
          </span>
          <span className={css.door}>{nameOfDoor(event.via)}</span>
          <span className={css.when}>
            <Ago at={event.at} />
          </span>
        </summary>
        <AuditDetails of={event} />
      </details>
    </li>
  )
}

const isRefusal = (action: string) => action.endsWith('.refused') || action.endsWith('.throttled')

const AuditDetails = ({ of: event }: { of: AuditEvent }) => (
  <div className={css.details}>
    <Facts
      of={[
        ['When', asFull(event.at)],
        ['Event', event.action],
        ['Address', event.ip],
        ['With key', event.api_key_id && <CopyCode key="key" value={event.api_key_id} what="key id" whole />],
        ['About', event.target_name],
        [
          event.target_name ? 'ID' : 'About',
          event.target_id && <CopyCode key="target" value={event.target_id} what="id" whole />,
        ],
        ...Object.entries(event.data).map(([name, value]): [string, string] => [
          name[0]!.toUpperCase() + name.slice(1).replaceAll('_', ' '),
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
        ['Request', <CopyCode key="request" value={event.request_id} what="request id" whole />],
      ]}
    />
  </div>
)

/** As entered in the fields; days are in the reader's time zone. */
export type AuditFilter = { action: AuditAction | null; actor_id: string | null; from: string; to: string }

/** As the server wants it. */
export const asked = ({ action, actor_id, from, to }: AuditFilter) => ({
  action: action ?? undefined,
  actor_id: actor_id ?? undefined,
  ...momentsOf({ from, to }),
})
