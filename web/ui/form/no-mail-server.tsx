import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../client/api.ts'
import { companySections } from '../../client/areas.ts'
import { useSignedIn } from '../../client/session.ts'
import { StatusNote } from '../basics/status.tsx'

/** Emails need a mail server: says so before saving is refused. */
export function NoMailServer() {
  const { me } = useSignedIn()
  const { data } = useQuery({ queryKey: ['mail', 'status'], queryFn: () => api.getMailStatus({}), staleTime: 0 })
  if (!data || data.is_set_up) return null
  return (
    <StatusNote tone="warn">
      Your company has no mail server yet.{' '}
      {me.role === 'Admin' ? (
        <>
          Set one up under <Link to={companySections.mail.to}>Company, Mail</Link> first.
        </>
      ) : (
        'Ask an Admin to set one up under Company, Mail.'
      )}
    </StatusNote>
  )
}
