import { UserSelect } from '../../../users/user-select.tsx'
import type { User } from '../../../users/users.ts'

type Props = { of: User; value: string; onChange: (id: string) => void }

/** Who gets the records of somebody who leaves. */
export const HeirSelect = ({ of: user, value, onChange }: Props) => (
  <UserSelect
    label="Who takes over the records?"
    state="active"
    except={user.id}
    allowDeselect={false}
    value={value}
    onChange={(id) => id && onChange(id)}
  />
)
