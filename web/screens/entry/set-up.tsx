import { useSuspenseQuery } from '@tanstack/react-query'
import { api } from '../../client/api.ts'
import { sessionQuery } from '../../client/session.ts'
import { ClosedSetUp } from './closed-set-up.tsx'
import { useLinkToken } from './link-token.ts'
import { NewCompany } from './new-company.tsx'

export function SetUp() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const token = useLinkToken('kith-set-up-token')
  if (!token && session.state === 'set_up' && !session.open) return <ClosedSetUp />
  return (
    <NewCompany
      title="Set up Kith"
      lead="Create your company and your own account. You will be its first Admin."
      send={(values) => api.setUp({ ...values, token })}
    />
  )
}
