import { Button, Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CheckSquare, Handshake, Link2, MessagesSquare, OctagonAlert, Plus, Unlink } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { isVisitorAddress, shownAddress } from '../../../../contract/shared/visitor-address.ts'
import { api } from '../../../client/api.ts'
import { conversationPage } from '../../../client/areas.ts'
import { type Conversation, nameOf, subjectOf, type Thread } from '../../../conversations/inbox.ts'
import { builtInField, useBuiltIn } from '../../../records/data/built-in.ts'
import { openCreate } from '../../../records/data/open-create.ts'
import { type RecordShape, recordQuery } from '../../../records/data/records-api.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { isEmpty } from '../../../records/data/value-text.ts'
import { FieldValue } from '../../../records/fields/field-value.tsx'
import { RecordFace } from '../../../records/fields/record-face.tsx'
import { Initials } from '../../../ui/basics/avatar.tsx'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { complain } from '../../../ui/basics/notices.tsx'
import { asNearDay } from '../../../ui/text/moments.ts'
import css from './context.module.css'
import { Stranger } from './stranger.tsx'
import { PickRecord } from './triage-dialogs.tsx'

/** Who writes, and the records that it is about. */
export function ContextColumn({ of: { conversation, links } }: { of: Thread }) {
  const [first] = conversation.participants
  const [people, leads] = [useBuiltIn('people'), useBuiltIn('leads')]
  // An address that a visitor typed is not proved, so who has it is linked, but is not the participant.
  const isLinked = links.some(
    ({ object }) => object === leads?.key || (object === people?.key && first && isVisitorAddress(first.address)),
  )
  return (
    <div className={css.context}>
      {first?.person_id && people ? (
        <Person object={people} id={first.person_id} />
      ) : (
        first && <Stranger of={first} conversation={conversation} isLinked={isLinked} />
      )}
      <Others of={conversation} />
      <Links of={conversation} links={links.filter((one) => !isShownAbove(one, first))} />
      <OtherConversations of={conversation} />
    </div>
  )
}

/** A person who is known by a handle was linked by someone, who can take it back. */
const isShownAbove = ({ id, via }: Thread['links'][number], first: Conversation['participants'][number] | undefined) =>
  Boolean(first?.person_id) &&
  (via === first!.person_id || (id === first!.person_id && /@|^\+\d+$/.test(shownAddress(first!.address) ?? '')))

export const ContextSkeleton = () => (
  <div className={css.context} role="status" aria-label="Loading people and records">
    <Skeleton height={36} radius="md" />
    <Skeleton height={90} radius="md" />
    <Skeleton height={60} radius="md" />
  </div>
)

const shown = ['job_title', 'organization', 'emails', 'phones', 'owner']

function Person({ object, id }: { object: ObjectShape; id: string }) {
  const person = useQuery(recordQuery(object.key, id))
  return (
    <Loaded query={person} what="person" small>
      {(record) => (
        <>
          <section className={css.person} aria-label="Person">
            <Link to="/records/$object/$id" params={{ object: object.key, id }} className={css.name}>
              <RecordFace object="people" title={String(record.title)} size={36} id={id} />
              <span dir="auto">{String(record.title)}</span>
            </Link>
            {record.do_not_contact === true && (
              <p className={css.warning} role="note">
                <OctagonAlert size={14} /> Do not contact
              </p>
            )}
            <FieldsOf object={object} record={record} keys={shown} />
          </section>
          <QuickActions person={record} />
          <Deals of={record} />
          <Tasks of={record} />
        </>
      )}
    </Loaded>
  )
}

const FieldsOf = ({ object, record, keys }: { object: ObjectShape; record: RecordShape; keys: string[] }) => (
  <dl className={css.facts}>
    {keys.map((name) => {
      const field = builtInField(object, name) ?? object.byKey.get(name)
      if (!field || isEmpty(record[field.key])) return null
      return (
        <div key={name}>
          <dt>{field.label}</dt>
          <dd>
            <FieldValue field={field} value={record[field.key]} />
          </dd>
        </div>
      )
    })}
  </dl>
)

function QuickActions({ person }: { person: RecordShape }) {
  const [tasks, deals] = [useBuiltIn('tasks'), useBuiltIn('deals')]
  const organization = (person.organization as { id: string } | null | undefined)?.id
  return (
    <div className={css.quick}>
      {tasks?.rights.create && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<CheckSquare size={13} />}
          onClick={() => openCreate(tasks.key, { about: [person.id] })}
        >
          New task
        </Button>
      )}
      {deals?.rights.create && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Handshake size={13} />}
          onClick={() => openCreate(deals.key, { people: [person.id], ...(organization && { organization }) })}
        >
          New deal
        </Button>
      )}
    </div>
  )
}

/** The other participants. */
function Others({ of: { participants } }: { of: Conversation }) {
  const people = useBuiltIn('people')
  const others = participants.slice(1)
  if (!others.length) return null
  return (
    <Group title="Others">
      {others.map(({ address, name, person_id }) => (
        <li key={address}>
          {person_id && people ? (
            <KnownPerson object={people.key} id={person_id} name={nameOf({ name, address })} />
          ) : (
            <span className={css.entry}>
              <Initials name={nameOf({ name, address })} size={20} seed={address} />
              <span dir="auto">{nameOf({ name, address })}</span>
            </span>
          )}
        </li>
      ))}
    </Group>
  )
}

/** By the name in Kith: mail often has the address only. */
function KnownPerson({ object, id, name }: { object: string; id: string; name: string }) {
  const { data: person } = useQuery(recordQuery(object, id))
  return <RecordLink object={object} id={id} title={person ? String(person.title) : name} />
}

const RecordLink = ({ object, id, title }: { object: string; id: string; title: string }) => (
  <Link to="/records/$object/$id" params={{ object, id }} className={css.entry}>
    <RecordFace object={object} title={title} size={20} id={id} />
    <span dir="auto">{title}</span>
  </Link>
)

const Group = ({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) => (
  <section className={css.group}>
    <header>
      <h2>{title}</h2>
      {action}
    </header>
    <ul>{children}</ul>
  </section>
)

/** Deals and tasks of the person that still go on. */
function useRelated(object: ObjectShape | undefined, link: string, person: string) {
  const field = object && builtInField(object, link)
  const status = object && (builtInField(object, 'status') ?? object.byKey.get('status'))
  return useQuery({
    queryKey: ['records', object?.key, 'of-conversation', person],
    queryFn: async ({ signal }) => {
      const about = { field: field!.key, op: 'has_any' as const, value: [person] }
      const open = status ? [{ field: status.key, op: 'eq' as const, value: 'open' }] : []
      const asked = { object: object!.key, filter: { and: [about, ...open] }, sort: ['-updated_at'], limit: 5 }
      return (await api.queryRecords(asked, { signal })).records
    },
    enabled: field !== undefined && object?.rights.read !== 'none',
  })
}

function Deals({ of: person }: { of: RecordShape }) {
  const deals = useBuiltIn('deals')
  const { data = [] } = useRelated(deals, 'people', person.id)
  if (!deals || !data.length) return null
  const [amount, stage] = [builtInField(deals, 'amount') ?? deals.byKey.get('amount'), deals.byKey.get('stage')]
  return (
    <Group title={deals.label_plural}>
      {data.map((deal) => (
        <li key={deal.id}>
          <RecordLink object={deals.key} id={deal.id} title={String(deal.title)} />
          <span className={`${css.small} ${css.below}`}>
            {stage && <FieldValue field={stage} value={deal[stage.key]} />}
            {amount && <FieldValue field={amount} value={deal[amount.key]} />}
          </span>
        </li>
      ))}
    </Group>
  )
}

function Tasks({ of: person }: { of: RecordShape }) {
  const tasks = useBuiltIn('tasks')
  const { data = [] } = useRelated(tasks, 'about', person.id)
  if (!tasks || !data.length) return null
  return (
    <Group title={tasks.label_plural}>
      {data.map((task) => (
        <li key={task.id}>
          <RecordLink object={tasks.key} id={task.id} title={String(task.title)} />
          {typeof task.due_at === 'string' && <span className={css.small}>{asNearDay(task.due_at)}</span>}
        </li>
      ))}
    </Group>
  )
}

function Links({ of: { id }, links }: { of: Conversation; links: Thread['links'] }) {
  const client = useQueryClient()
  const [isPicking, pick] = useState(false)
  const change = async (change: { add?: { object: string; id: string }[]; remove?: string[] }) => {
    try {
      await api.linkConversation({ id, ...change })
    } catch (error) {
      complain('The link was not changed', error)
    }
    await client.invalidateQueries({ queryKey: ['inbox'] })
  }
  return (
    <>
      <Group
        title="Linked records"
        action={<IconButton icon={Plus} label="Link a record" size={28} onClick={() => pick(true)} />}
      >
        {links.map((link) => (
          <li key={link.id}>
            <RecordLink {...link} />
            <IconButton
              icon={Unlink}
              label={`Unlink ${link.title}`}
              size={28}
              title="Unlink"
              onClick={() => void change({ remove: [link.id] })}
            />
          </li>
        ))}
        {!links.length && (
          <li>
            <span className={css.hint}>
              <Link2 size={13} /> Link a deal or another record that this is about.
            </span>
          </li>
        )}
      </Group>
      {isPicking && (
        <PickRecord
          onPick={(record) => {
            pick(false)
            void change({ add: [{ object: record.object, id: record.id }] })
          }}
          onClose={() => pick(false)}
        />
      )}
    </>
  )
}

function OtherConversations({ of: { id, participants } }: { of: Conversation }) {
  const person = participants[0]?.person_id
  const { data = [] } = useQuery({
    queryKey: ['inbox', 'context', person],
    queryFn: async ({ signal }) => (await api.listConversations({ record_id: person!, limit: 6 }, { signal })).items,
    enabled: Boolean(person),
  })
  const others = data.filter((one) => one.id !== id).slice(0, 5)
  if (!others.length) return null
  return (
    <Group title="Other conversations">
      {others.map((one) => (
        <li key={one.id}>
          <Link to={conversationPage} params={{ id: one.id }} search={true} className={css.entry}>
            <MessagesSquare size={14} />
            <span dir="auto">{subjectOf(one)}</span>
          </Link>
          <span className={css.small}>{asNearDay(one.last_message_at)}</span>
        </li>
      ))}
    </Group>
  )
}
