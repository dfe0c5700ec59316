import { contract } from '../../../contract/index.ts'
import { useSignedIn, useUpdateMe } from '../../client/session.ts'
import { NameForm } from '../../ui/name-form.tsx'

export function ProfileForm() {
  const { me } = useSignedIn()
  const { mutateAsync } = useUpdateMe()
  return (
    <NameForm label="Your name" autoComplete="name" name={me.name} input={contract.updateMe.input} save={mutateAsync} />
  )
}
