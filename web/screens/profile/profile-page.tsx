import { useLinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pages } from '../../../contract/pages.ts'
import { Page } from '../../ui/page.tsx'
import css from './profile-page.module.css'
import { apiConnectors } from './sections.ts'

type Props = { title: string; lead: ReactNode; children: ReactNode }

/** A page of the profile, with the way to its other pages. */
export const ProfilePage = ({ title, lead, children }: Props) => (
  <Page title={title} lead={lead}>
    <nav aria-label="Profile" className={css.tabs}>
      <Tab to={pages.profile}>Profile</Tab>
      <Tab to={apiConnectors}>API & Connectors</Tab>
    </nav>
    {children}
  </Page>
)

function Tab({ to, children }: { to: typeof pages.profile | typeof apiConnectors; children: ReactNode }) {
  const link = useLinkProps({ to, activeOptions: { exact: true }, className: css.tab })
  // The page is named by the navigation of the areas; in here it is the current one of a set.
  return (
    <a {...link} aria-current={link['aria-current'] && 'true'}>
      {children}
    </a>
  )
}
