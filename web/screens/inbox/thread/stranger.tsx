import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2, Sprout, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { isVisitorAddress, shownAddress } from '../../../../contract/shared/visitor-address.ts'
import { chatVisitorQuery } from '../../../channels/chat.ts'
import { api } from '../../../client/api.ts'
import { type Conversation, nameOf } from '../../../conversations/inbox.ts'
import { useBuiltIn } from '../../../records/data/built-in.ts'
import { createInPlace } from '../../../records/data/create-in-place.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { Initials } from '../../../ui/basics/avatar.tsx'
import { complain } from '../../../ui/basics/notices.tsx'
import css from './context.module.css'
import { PickRecord } from './triage-dialogs.tsx'

type StrangerProps = { of: Conversation['participants'][number]; conversation: Conversation; isLinked: boolean }

/** No record has this address. `isLinked`: a lead or person is among the linked records. */
export function Stranger({ of: { address, name }, conversation, isLinked }: StrangerProps) {
  const client = useQueryClient()
  const [people, leads] = [useBuiltIn('people'), useBuiltIn('leads')]
  const [isPicking, pick] = useState(false)
  const { data: visitor } = useQuery({ ...chatVisitorQuery(conversation.id), enabled: isVisitorAddress(address) })
  const called = nameOf({ name, address })
  const isNamed = name !== null && called !== 'Visitor'
  const words = called.trim().split(/\s+/)
  const named = isNamed
    ? { first_name: words[0], ...(words.length > 1 && { last_name: words.slice(1).join(' ') }) }
    : {}
  // Senders of other networks have a handle, which is no address. What a visitor gave can be corrected in the form.
  const email = visitor?.email ?? (address.includes('@') ? shownAddress(address) : undefined)
  const phone = /^\+\d+$/.test(address) ? address : undefined
  const add = async (object: ObjectShape, known: object) => {
    const made = await createInPlace(object.key, called, { ...named, ...known })
    if (made) await link(made)
  }
  const link = async ({ object, id }: { object: string; id: string }) => {
    await api
      .linkConversation({ id: conversation.id, add: [{ object, id, ...(object === people?.key && { address }) }] })
      .catch((error) => complain('The record was not linked', error))
    await client.invalidateQueries({ queryKey: ['inbox'] })
  }
  return (
    <section className={css.person} aria-label="Sender">
      <div className={css.name}>
        <Initials name={called} size={36} seed={address} />
        <span dir="auto">{called}</span>
      </div>
      {called !== address && shownAddress(address) && <p className={css.address}>{address}</p>}
      {!isLinked && <p className={css.hint}>Not in Kith yet.</p>}
      <div className={css.quick}>
        {!isLinked && people?.rights.create && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<UserPlus size={13} />}
            onClick={() => void add(people, { ...(email && { emails: [email] }), ...(phone && { phones: [phone] }) })}
          >
            Add as person
          </Button>
        )}
        {!isLinked && leads?.rights.create && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Sprout size={13} />}
            onClick={() => void add(leads, { ...(email && { email }), ...(phone && { phone }) })}
          >
            Add as lead
          </Button>
        )}
        {people && (
          <Button variant="default" size="compact-sm" leftSection={<Link2 size={13} />} onClick={() => pick(true)}>
            Link to a person
          </Button>
        )}
      </div>
      {isPicking && people && (
        <PickRecord
          title="Link to a person"
          objects={[people.key]}
          onPick={(record) => {
            pick(false)
            void link(record)
          }}
          onClose={() => pick(false)}
        />
      )}
    </section>
  )
}
