import { useLinkProps } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { pages } from '../../../contract/shared/pages.ts'
import { profileSections } from '../../client/areas.ts'
import { Page } from '../../ui/basics/page.tsx'
import css from './profile-page.module.css'

type Props = { title: string; lead: ReactNode; actions?: ReactNode; children: ReactNode }

/** A page of the profile, with the way to its other pages. */
export const ProfilePage = ({ title, lead, actions, children }: Props) => (
  <Page title={title} lead={lead} actions={actions}>
    <nav aria-label="Profile" className={css.tabs}>
      {profileSections.map((section) => (
        <Tab key={section.to} {...section} />
      ))}
    </nav>
    {children}
  </Page>
)

function Tab({ to, label }: (typeof profileSections)[number]) {
  const link = useLinkProps({
    to,
    activeOptions: { exact: to === pages.profile, includeSearch: false },
    className: css.tab,
  })
  const tab = useRef<HTMLAnchorElement>(null)
  const isHere = Boolean(link['aria-current'])
  // On a phone the tabs are wider than the screen.
  useEffect(() => {
    if (isHere) tab.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [isHere])
  // The page is named by the navigation of the areas; in here it is the current one of a set.
  return (
    <a {...link} ref={tab} aria-current={isHere ? 'true' : undefined}>
      {label}
    </a>
  )
}
