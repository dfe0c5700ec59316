import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { ApiError, api } from '../../client/api.ts'
import { Failure } from '../../ui/failure.tsx'
import { BrokenLink } from './broken-link.tsx'
import { EmailForm } from './email-form.tsx'
import { Entry } from './entry.tsx'
import { forgetLinkToken, useLinkToken } from './link-token.ts'
import { NewCompany } from './new-company.tsx'

const storedAs = 'kith-sign-up-token'

/** First the address, then, by the link that was mailed to it, everything else. */
export function SignUpByMail({ below }: { below: ReactNode }) {
  const token = useLinkToken(storedAs)
  const [sentTo, setSentTo] = useState<string>()
  if (token) return <ByLink key={token} token={token} below={below} />
  if (sentTo) return <Sent to={sentTo} below={below} />
  return (
    <EmailForm
      title="Create a company"
      lead="Enter your email address. We'll send you a link to continue."
      below={below}
      operation="requestSignUp"
      onSent={setSentTo}
    />
  )
}

const Sent = ({ to, below }: { to: string; below: ReactNode }) => (
  <Entry title="Check your email" lead={`We sent a link to ${to}. Open it to continue.`} below={below}>
    <div role="status">The link works for an hour. If no mail arrives, check your spam folder.</div>
  </Entry>
)

function ByLink({ token, below }: { token: string; below: ReactNode }) {
  const link = useQuery({
    queryKey: ['sign-up-link', token],
    queryFn: () => api.readSignUpLink({ token }),
    staleTime: Number.POSITIVE_INFINITY, // Once used it cannot be read again.
    gcTime: 0,
  })
  const isRefused = link.error instanceof ApiError && [404, 422].includes(link.error.problem.status)
  useEffect(() => {
    if (isRefused) forgetLinkToken(storedAs)
  }, [isRefused])
  if (isRefused) return <BrokenLink kind="sign_up" />
  if (link.isError)
    return (
      <Entry title="Your link" lead="It could not be checked.">
        <Failure error={link.error} onRetry={link.refetch} busy={link.isFetching} />
      </Entry>
    )
  if (!link.data)
    return (
      <Entry title="Create a company" lead="Your link is being checked.">
        <Skeleton height={180} radius="md" role="status" aria-label="Checking the link" />
      </Entry>
    )
  return (
    <NewCompany
      title="Create a company"
      lead="And your own account in it. You will be its first Admin."
      email={link.data.email}
      send={async (values) => {
        const answer = await api.signUp({ ...values, token })
        forgetLinkToken(storedAs)
        return answer
      }}
      below={below}
    />
  )
}
