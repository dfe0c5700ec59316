import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { pages } from '../../../contract/pages.ts'
import { api } from '../../client/api.ts'
import { sessionQuery } from '../../client/session.ts'
import { wordsOf } from '../../ui/form-errors.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import type { Link as AccountLink } from './account-link.tsx'
import css from './entry.module.css'
import { Entry } from './entry.tsx'

/** By a click and not by opening the page: programs that look into mail open links too. */
export function ConfirmForm({ link: { email, name, company_name }, token }: { link: AccountLink; token: string }) {
  const client = useQueryClient()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => api.confirmEmail({ token }),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  if (isSuccess)
    return (
      <Entry title="Your address is confirmed" lead={`From now on you sign in with ${email}.`}>
        <Button fullWidth component={Link} to={pages.signIn}>
          Go to Kith
        </Button>
      </Entry>
    )
  return (
    <Entry title="Confirm your address" lead={`For the account of ${name} at ${company_name}.`}>
      <div className={css.form}>
        <FormFailure>{error && wordsOf(error)}</FormFailure>
        <TextInput label="New address" value={email} readOnly variant="filled" />
        <Button fullWidth loading={isPending} onClick={() => mutate()}>
          Confirm this address
        </Button>
      </div>
    </Entry>
  )
}
