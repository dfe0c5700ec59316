import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { pages } from '../../../../contract/pages.ts'
import { ApiError } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { useIsAbove } from '../../../roles/roles.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Missing } from '../../../ui/missing.tsx'
import { PageSkeleton } from '../../../ui/page-skeleton.tsx'
import { type User, userQuery } from '../../../users/users.ts'
import { CompanyPage } from '../company-page.tsx'
import { AgentKeys } from './agent-keys.tsx'
import { Leaving } from './leaving.tsx'
import { MemberDetails } from './member-details.tsx'
import { MemberLead } from './member-lead.tsx'
import { MemberLinks } from './member-links.tsx'
import { MemberRole } from './member-role.tsx'
import { OutOfReach } from './out-of-reach.tsx'

export function Member() {
  const { id = '' } = useParams({ strict: false })
  const user = useQuery(userQuery(id))
  if (user.isPending) return <PageSkeleton />
  if (user.data) return <MemberOf key={id} user={user.data} />
  if (isMissing(user.error)) return <Missing what="member" back={pages.company} />
  return (
    <CompanyPage title="Member">
      <Failure error={user.error} onRetry={user.refetch} busy={user.isFetching} />
    </CompanyPage>
  )
}

function MemberOf({ user }: { user: User }) {
  const { may } = useSignedIn()
  const isAbove = useIsAbove()(user.role)
  const manages = may('members.manage') && !isAbove
  return (
    <CompanyPage title={user.name} lead={<MemberLead of={user} />}>
      <MemberDetails of={user} editable={manages} />
      {manages && (
        <>
          <MemberRole of={user} />
          {user.kind === 'person' && user.state !== 'deactivated' && <MemberLinks of={user} />}
          {user.kind === 'agent' && <AgentKeys of={user} />}
          <Leaving of={user} />
        </>
      )}
      {may('members.manage') && isAbove && <OutOfReach of={user} />}
    </CompanyPage>
  )
}

const isMissing = (error: unknown) => error instanceof ApiError && [400, 404, 422].includes(error.problem.status)
