import { Info } from 'lucide-react'
import { useObjects } from '../../../roles/rights.ts'
import { roleInWords } from '../../../roles/role-words.ts'
import type { Role } from '../../../roles/roles.ts'
import { GrantList } from './grant-list.tsx'
import { RightsMatrix } from './rights-matrix.tsx'
import css from './role.module.css'

/** A role to look at: built in, or seen by someone who may not change it. */
export function RoleView({ role, isAdmin }: { role: Role; isAdmin: boolean }) {
  const objects = useObjects()
  return (
    <>
      <p className={css.note}>
        <Info size={16} aria-hidden="true" />
        <span>{explain(role, isAdmin)}</span>
      </p>
      <p className={css.words}>{role.description || roleInWords(role, objects)}</p>
      <RightsMatrix records={role.records} />
      <GrantList role={role} />
    </>
  )
}

const explain = ({ name }: Role, isAdmin: boolean) =>
  isAdmin
    ? `${name} is built in and stays as it is. To have it differently, duplicate it and change the copy.`
    : 'Only Admins change roles.'
