import { Lock } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import type { Grant } from '../../../contract/access.ts'
import { useSignedIn } from '../../client/session.ts'
import { Message } from '../../ui/message.tsx'
import { Page } from '../../ui/page.tsx'

type Props = Omit<ComponentProps<typeof Page>, 'children'> & { children?: ReactNode; needs?: Grant | 'admin' }

/** A page of the Company area. Whoever may not see it is told so, and nothing is fetched for it. */
export function CompanyPage({ needs, actions, children, ...page }: Props) {
  const { may } = useSignedIn()
  if (!needs || may(needs))
    return (
      <Page {...page} actions={actions}>
        {children}
      </Page>
    )
  return (
    <Page title={page.title}>
      <Message icon={Lock} title="Not for your role">
        {needs === 'admin'
          ? 'Only Admins can see and change this. Ask an Admin of your company.'
          : 'Your role does not allow this. Ask an Admin of your company.'}
      </Message>
    </Page>
  )
}
