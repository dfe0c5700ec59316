import { Lock } from 'lucide-react'
import { type Role, useIsAdmin } from '../../../roles/roles.ts'
import { Message } from '../../../ui/message.tsx'
import { CompanyPage } from '../company-page.tsx'
import { RoleForm } from './role-form.tsx'

export function NewRole({ from }: { from?: Role }) {
  const isAdmin = useIsAdmin()
  return (
    <CompanyPage title="New role" lead={from && `Starts with the rights of ${from.name}.`} wide>
      {isAdmin ? (
        <RoleForm from={from} />
      ) : (
        <Message icon={Lock} title="Not for your role">
          Only Admins make roles. Ask an Admin of your company.
        </Message>
      )}
    </CompanyPage>
  )
}
