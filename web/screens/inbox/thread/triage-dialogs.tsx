import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { type Conversation, labelsQuery, nameOfOther, subjectOf } from '../../../conversations/inbox.ts'
import { LabelBadge, LabelForm } from '../../../conversations/labels.tsx'
import { useFoundRecords } from '../../../records/data/find-records.ts'
import { useSchema } from '../../../records/data/schema.ts'
import { RecordFace } from '../../../records/fields/record-face.tsx'
import { PickList } from '../../../ui/form/picker.tsx'
import { userPick } from '../../../users/user-select.tsx'
import { useFoundUsers } from '../../../users/users.ts'
import css from '../compose/dialogs.module.css'
import { PickDialog } from '../compose/pick-dialog.tsx'
import { PickTime } from '../compose/pick-time.tsx'
import type { Triage } from '../state/use-triage.ts'

export type Asked = { what: 'assign' | 'label' | 'snooze' | 'merge'; of: Conversation[] }

type Props = { asked: Asked; triage: Triage; onClose: () => void }

export function TriageDialog({ asked: { what, of }, triage, onClose }: Props) {
  if (what === 'assign') return <Assign of={of} triage={triage} onClose={onClose} />
  if (what === 'label') return <Labels of={of} triage={triage} onClose={onClose} />
  if (what === 'merge') return <Merge of={of[0]!} triage={triage} onClose={onClose} />
  return (
    <PickTime
      title="Snooze"
      question="Snooze until… e.g. Friday 10:00"
      onPick={(at) => {
        onClose()
        triage.snooze(of, at)
      }}
      onClose={onClose}
    />
  )
}

type PartProps = { of: Conversation[]; triage: Triage; onClose: () => void }

const unassigned = 'unassigned'

function Assign({ of, triage, onClose }: PartProps) {
  const { me } = useSignedIn()
  const [search, setSearch] = useState('')
  const { found = [] } = useFoundUsers(search.trim(), 'active')
  const users = search.trim() ? found : [me, ...found.filter(({ id }) => id !== me.id)]
  const items = users.map((user) => (user.id === me.id ? { ...userPick(me), detail: 'You' } : userPick(user)))
  const current = of.length === 1 ? of[0]!.assignee_id : undefined
  return (
    <PickDialog title="Assign to" size={400} onClose={onClose}>
      <PickList
        label="Assign to"
        placeholder="Search people and agents"
        items={[...items, ...(search.trim() ? [] : [{ value: unassigned, label: 'No one' }])]}
        picked={current === undefined ? [] : [current ?? unassigned]}
        search={search}
        onSearch={setSearch}
        onPick={(value) => {
          onClose()
          const user = users.find(({ id }) => id === value)
          triage.assign(of, user ? { id: user.id, name: user.name } : null)
        }}
      />
    </PickDialog>
  )
}

function Labels({ of, triage, onClose }: PartProps) {
  const { data: labels = [] } = useQuery(labelsQuery)
  const [search, setSearch] = useState('')
  const [named, setNamed] = useState<string>()
  // As they are now: a label that was just set is marked.
  const [set, setSet] = useState(() =>
    labels.filter(({ id }) => of.every((one) => one.label_ids.includes(id))).map(({ id }) => id),
  )
  const wanted = search.trim().toLowerCase()
  const fitting = labels.filter(({ name }) => name.toLowerCase().includes(wanted))
  const isNew = search.trim() !== '' && !labels.some(({ name }) => name.toLowerCase() === wanted)
  const toggle = (id: string, name: string) => {
    const isSet = set.includes(id)
    setSet(isSet ? set.filter((one) => one !== id) : [...set, id])
    triage.label(of, { id, name }, !isSet)
  }
  if (named !== undefined)
    return <LabelForm name={named} onDone={({ id, name }) => toggle(id, name)} onClose={() => setNamed(undefined)} />
  return (
    <PickDialog title="Labels" size={400} onClose={onClose}>
      <PickList
        label="Labels"
        placeholder="Search or create a label"
        nothing="No labels yet. Type a name to create one."
        items={[
          ...fitting.map((label) => ({ value: label.id, label: label.name, shown: <LabelBadge of={label} /> })),
          ...(isNew ? [{ value: 'new', label: `Create “${search.trim()}”`, isNew: true }] : []),
        ]}
        picked={set}
        search={search}
        onSearch={setSearch}
        onPick={(value) => {
          const label = labels.find(({ id }) => id === value)
          if (label) toggle(label.id, label.name)
          else setNamed(search.trim())
        }}
      />
    </PickDialog>
  )
}

/** Its messages move to another conversation, which later ones follow. */
function Merge({ of, triage, onClose }: Omit<PartProps, 'of'> & { of: Conversation }) {
  const [search, setSearch] = useState('')
  const [q] = useDebouncedValue(search.trim(), 200)
  const near = of.participants[0]?.address
  const asked = q || near
  const { data: found = [], isPending } = useQuery({
    queryKey: ['inbox', 'merge', of.id, asked],
    queryFn: async ({ signal }) =>
      (await api.listConversations({ ...(asked && { q: asked }), limit: 20 }, { signal })).items,
  })
  const others = found.filter(({ id, channel_id }) => id !== of.id && channel_id === of.channel_id)
  return (
    <PickDialog title="Merge into another conversation" size={520} onClose={onClose}>
      <p className={css.about}>Messages move to the conversation you choose. Future replies go there as well.</p>
      <PickList
        label="Conversation to keep"
        placeholder="Search conversations"
        nothing={
          isPending
            ? 'Searching…'
            : q
              ? 'No other conversation in this channel matches'
              : `No other conversation with ${nameOfOther(of)}. Search for another one.`
        }
        items={others.map((one) => ({ value: one.id, label: subjectOf(one), detail: nameOfOther(one) }))}
        search={search}
        onSearch={setSearch}
        onPick={(id) => {
          onClose()
          void triage.merge(of, others.find((one) => one.id === id)!)
        }}
      />
    </PickDialog>
  )
}

type LinkProps = {
  title?: string
  /** Of these only. */
  objects?: string[]
  onPick: (record: { object: string; id: string; title: string }) => void
  onClose: () => void
}

const noObjects: string[] = []

/** A record of any object, to be linked. */
export function PickRecord({ title = 'Link a record', objects: only = noObjects, onPick, onClose }: LinkProps) {
  const [search, setSearch] = useState('')
  const objects = useSchema()
  const { found = [] } = useFoundRecords(only, search.trim())
  return (
    <PickDialog title={title} size={480} onClose={onClose}>
      <PickList
        label="Records"
        placeholder="Search records"
        nothing={search.trim() ? 'No record with that name' : 'Type a name'}
        items={found.map(({ id, title, object }) => ({
          value: id,
          label: title,
          detail: objects.find(({ key }) => key === object)?.label ?? object,
          icon: <RecordFace object={object} title={title} size={20} id={id} />,
        }))}
        search={search}
        onSearch={setSearch}
        onPick={(id) => onPick(found.find((one) => one.id === id)!)}
      />
    </PickDialog>
  )
}
