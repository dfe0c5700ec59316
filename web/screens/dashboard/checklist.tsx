import { CloseButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ArrowRight, CircleCheck, CircleDashed } from 'lucide-react'
import { pages } from '../../../contract/shared/pages.ts'
import { apiConnectors, companySections } from '../../client/areas.ts'
import { useNavigation, useUpdateNavigation } from '../../records/lists/navigation.ts'
import { Panel } from '../../ui/basics/layout.tsx'
import css from './dashboard.module.css'

type Step = 'import' | 'invite' | 'currency_and_stages' | 'connect_mailbox' | 'connect_agent'

const steps: Record<Step, { to: string; title: string; about: string }> = {
  import: {
    to: pages.move,
    title: 'Bring your data',
    about: 'All files from your old CRM or spreadsheets, together.',
  },
  invite: { to: companySections.members.to, title: 'Invite your team', about: 'Choose what each person can do.' },
  currency_and_stages: {
    to: companySections.pipelines.to,
    title: 'Check currency and stages',
    about: 'Adapt the stages of your pipeline to how you work.',
  },
  connect_mailbox: {
    to: companySections.channels.to,
    title: 'Connect a mailbox',
    about: 'Read and answer customer messages in the inbox.',
  },
  connect_agent: { to: apiConnectors, title: 'Connect an agent', about: 'It works with the same records as you.' },
}

type Props = { of: { step: Step; is_done: boolean }[] }

/** In the list of what the user has hidden. */
const id = 'getting-started'

/** What a new company still has to do. The server leaves it out once all is done; until then, it can be dismissed. */
export function Checklist({ of: list }: Props) {
  const { hidden } = useNavigation()
  const update = useUpdateNavigation()
  if (!list.length || hidden.includes(id)) return null
  const done = list.filter(({ is_done }) => is_done).length
  return (
    <Panel as="section" className={css.checklist} aria-label="Getting started">
      <header>
        <h2>Getting started</h2>
        <span>
          {done} of {list.length} done
        </span>
        <CloseButton
          aria-label="Dismiss getting started"
          title="Dismiss"
          className={css.dismiss}
          onClick={() => update({ hidden: [...hidden, id] })}
        />
      </header>
      <ol>
        {list.map(({ step, is_done }) => {
          const { to, title, about } = steps[step]
          const Icon = is_done ? CircleCheck : CircleDashed
          return (
            <li key={step} data-done={is_done || undefined}>
              <Link to={to}>
                <Icon size={18} strokeWidth={1.75} role="img" aria-label={is_done ? 'Done' : 'To do'} />
                <span>
                  <strong>{title}</strong>
                  <small>{about}</small>
                </span>
                <ArrowRight size={14} />
              </Link>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
