import { CloseButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Bot, Handshake, type LucideIcon, Upload, UsersRound } from 'lucide-react'
import { pages } from '../../../../contract/pages.ts'
import { apiConnectors, companySections } from '../../../client/areas.ts'
import { useSignedIn } from '../../../client/session.ts'
import { useNavigation, useUpdateNavigation } from '../../../records/navigation.ts'
import { useSchema } from '../../../records/schema.ts'
import { hasKeyboard, modKey } from '../../../ui/keyboard.ts'
import { Panel } from '../../../ui/layout.tsx'
import css from './getting-started.module.css'

const id = 'getting-started'

/** `object`: only while the company has it. */
type Step = { object?: string; to: string; icon: LucideIcon; title: string; about: string }

const steps: Step[] = [
  {
    object: 'people',
    to: pages.import.replace(':object', 'people'),
    icon: Upload,
    title: 'Import your contacts',
    about: 'From a CSV file of any CRM or spreadsheet. You can undo an import.',
  },
  { to: companySections.members.to, icon: UsersRound, title: 'Invite your team', about: 'And decide who may do what.' },
  {
    to: apiConnectors,
    icon: Bot,
    title: 'Connect an agent',
    about: 'Claude, ChatGPT and other agents work with the same records.',
  },
  {
    object: 'deals',
    to: pages.recordList.replace(':object', 'deals'),
    icon: Handshake,
    title: 'Look around',
    about: hasKeyboard()
      ? `Open your deals, or press ${modKey} K to find anything.`
      : 'Open your deals, or search for anything.',
  },
]

/** What comes next in a new company. For Admins, until they dismiss it. */
export function GettingStarted() {
  const { me } = useSignedIn()
  const { hidden } = useNavigation()
  const update = useUpdateNavigation()
  const keys = useSchema().map(({ key }) => key)
  if (!me.is_admin || hidden.includes(id)) return null
  return (
    <Panel as="section" padded sunken aria-label="Getting started" className={css.panel}>
      <header>
        <h2>Getting started</h2>
        <CloseButton
          aria-label="Dismiss getting started"
          title="Dismiss"
          onClick={() => update({ hidden: [...hidden, id] })}
        />
      </header>
      <ol>
        {steps
          .filter(({ object }) => !object || keys.includes(object))
          .map(({ to, icon: Icon, title, about }) => (
            <li key={to}>
              <Link to={to}>
                <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
                <span>
                  <strong>{title}</strong>
                  <small>{about}</small>
                </span>
              </Link>
            </li>
          ))}
      </ol>
    </Panel>
  )
}
