import { Lock } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { Grant } from '../../../contract/access.ts'
import { useSignedIn } from '../../session.ts'
import { Message } from '../../ui/message.tsx'
import { Page } from '../../ui/page.tsx'

type Props = ComponentProps<typeof Page> & { grant?: Grant }

/** A page of the Company area. Whoever may not see it is told so, and nothing is fetched for it. */
export function CompanyPage({ grant, actions, children, ...page }: Props) {
  const { may } = useSignedIn()
  if (!grant || may(grant))
    return (
      <Page {...page} actions={actions}>
        {children}
      </Page>
    )
  return (
    <Page title={page.title}>
      <Message icon={Lock} title="Not for your role">
        Your role does not allow this. Ask an Admin of your company.
      </Message>
    </Page>
  )
}
