import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSignedIn } from '../client/session.ts'
import { Initials } from '../ui/basics/avatar.tsx'
import { type Pick as Item, Picker, type PickerInput } from '../ui/form/picker.tsx'
import { asDay, dayOf } from '../ui/text/moments.ts'
import { type User, type UserFilter, useFoundUsers, userQuery } from './users.ts'

type Shown = Pick<User, 'id' | 'name' | 'picture_id' | 'role'> &
  Partial<Pick<User, 'state' | 'kind' | 'away_from' | 'away_until'>>

type Props = PickerInput & {
  state: UserFilter['state']
  value: string | null
  /** A user who cannot be chosen. */
  except?: string
  onChange: (id: string | null) => void
  /** What the button that empties the field is called. Left out: someone must stay chosen. */
  clearLabel?: string
}

/** One user, found by typing a part of the name: a company may have more than a list can show. */
export function UserSelect({ state, value, except, onChange, clearLabel, ...input }: Props) {
  const { me } = useSignedIn()
  const [text, setText] = useState<string>()
  const { data: user } = useQuery({ ...userQuery(value ?? me.id), enabled: value !== null && value !== me.id })
  const chosen = [me, user].find((one) => one && one.id === value)
  const { found = [], isCurrent } = useFoundUsers(text?.trim() ?? '', state)
  const isMe = text === undefined && !found.some(({ id }) => id === me.id)
  const users = [...(isMe ? [me] : []), ...found].filter(({ id }) => id !== except)
  return (
    <Picker
      input={input}
      items={users.map(userPick)}
      chosen={chosen ? [userPick(chosen)] : []}
      text={text}
      isCurrent={isCurrent}
      onType={setText}
      onPick={(id) => {
        setText(undefined)
        onChange(id)
      }}
      onClear={clearLabel === undefined ? undefined : () => onChange(null)}
      clearLabel={clearLabel}
      onLeave={() => setText(undefined)}
    />
  )
}

/** A user in a list to choose from. The role says who may only read; those who are invited cannot act yet. */
export const userPick = ({ id, name, picture_id, ...user }: Shown): Item => ({
  value: id,
  label: name,
  detail: detailOf(user),
  icon: <Initials name={name} pictureId={picture_id} size={20} />,
})

type Away = Partial<Pick<User, 'away_from' | 'away_until'>>

export function isAway({ away_from, away_until }: Away = {}) {
  const today = dayOf(Date.now())
  return Boolean(away_from && away_until && away_from <= today && today <= away_until)
}

function detailOf({ role, state, kind, ...away }: Omit<Shown, 'id' | 'name' | 'picture_id'>) {
  if (isAway(away)) return `Away until ${asDay(`${away.away_until}T12:00:00Z`)}`
  if (state === 'invited') return 'Invited'
  return kind === 'agent' ? 'Agent' : role
}
