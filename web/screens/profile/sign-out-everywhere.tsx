import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { pages } from '../../../contract/pages.ts'
import { api } from '../../client/api.ts'
import { complain } from '../../ui/notices.tsx'

export function SignOutEverywhere() {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.signOutEverywhere({}),
    onSuccess: () => location.assign(pages.signIn),
    onError: (error) => complain('Your sessions were not ended', error),
  })
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate()}>
      Sign out everywhere
    </Button>
  )
}
