import { contract } from '../../../../contract/index.ts'
import { useSignedIn, useUpdateCompany } from '../../../client/session.ts'
import { NameForm } from '../../../ui/name-form.tsx'

export function CompanyNameForm() {
  const { company } = useSignedIn()
  const { mutateAsync } = useUpdateCompany()
  const input = contract.updateCompany.input
  return (
    <NameForm label="Company name" autoComplete="organization" name={company.name} input={input} save={mutateAsync} />
  )
}
