import { Button } from '@mantine/core'
import { Bot, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useSignedIn } from '../../../client/session.ts'
import type { UserFilter } from '../../../users/users.ts'
import { CompanyPage } from '../company-page.tsx'
import { AddAgent } from './add-agent.tsx'
import { Invite } from './invite.tsx'
import { MemberFilters } from './member-filters.tsx'
import { MemberList } from './member-list.tsx'

export function Members() {
  const { company, may } = useSignedIn()
  const [dialog, open] = useState<'invite' | 'agent'>()
  const manages = may('members.manage')
  const [filter, setFilter] = useState<UserFilter>({ state: manages ? 'all' : 'active' })
  const close = () => open(undefined)
  return (
    <CompanyPage
      title="Members"
      lead={`The people and agents who work in ${company.name}.`}
      wide
      actions={
        manages && (
          <>
            <Button variant="default" leftSection={<Bot size={15} aria-hidden="true" />} onClick={() => open('agent')}>
              Add agent
            </Button>
            <Button leftSection={<UserPlus size={15} aria-hidden="true" />} onClick={() => open('invite')}>
              Invite
            </Button>
          </>
        )
      }
    >
      <MemberFilters filter={filter} states={manages} onChange={setFilter} />
      <MemberList filter={filter} />
      {dialog === 'invite' && <Invite onClose={close} />}
      {dialog === 'agent' && <AddAgent onClose={close} />}
    </CompanyPage>
  )
}
