import { Outlet, useLinkProps } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import type { Grant } from '../../../contract/shared/access.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { companySections } from '../../client/areas.ts'
import { useSignedIn } from '../../client/session.ts'
import { Page } from '../../ui/basics/page.tsx'
import { Message } from '../../ui/basics/states.tsx'
import { DisabledWebhooks } from '../../webhooks/banner.tsx'
import css from './company-area.module.css'

type Section = {
  to: (typeof companySections)[keyof typeof companySections]['to']
  label: string
  needs?: Grant | 'admin'
}

/** The way through the area, beside its pages; on narrow screens above them. */
export function CompanyArea() {
  const { may } = useSignedIn()
  const allowed = Object.values<Section>(companySections).filter(({ needs }) => !needs || may(needs))
  return (
    <div className={css.area}>
      <nav aria-label="Company" className={css.sections}>
        {allowed.map((section) => (
          <SectionLink key={section.to} of={section} />
        ))}
      </nav>
      <div className={css.content}>
        {may('webhooks.manage') && <DisabledWebhooks />}
        <Outlet />
      </div>
    </div>
  )
}

function SectionLink({ of: { to, label } }: { of: Section }) {
  const link = useLinkProps({ to, activeOptions: { exact: to === pages.company }, className: css.section })
  const element = useRef<HTMLAnchorElement>(null)
  // The page is named by the navigation of the areas; in here it is the current one of a set.
  const current = link['aria-current'] && 'true'
  useEffect(() => {
    if (current) element.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <a {...link} ref={element} aria-current={current}>
      {label}
    </a>
  )
}

type Props = Omit<ComponentProps<typeof Page>, 'children'> & { children?: ReactNode; needs?: Grant | 'admin' }

/** A page of the Company area. Users without access see a message instead, and nothing is fetched. */
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
      <Message icon={Lock} title="You don’t have access">
        {needs === 'admin'
          ? 'Only Admins can see and change this. Ask an Admin of your company.'
          : 'Your role does not allow this. Ask an Admin of your company.'}
      </Message>
    </Page>
  )
}
