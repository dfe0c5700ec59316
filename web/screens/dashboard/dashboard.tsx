import { Link } from '@tanstack/react-router'
import { ArrowUpRight, Bot, CircleUserRound, Contact, FileJson, type LucideIcon, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { pages } from '../../../contract/pages.ts'
import { companySections } from '../../client/areas.ts'
import { useSignedIn } from '../../client/session.ts'
import { Part } from '../../ui/layout.tsx'
import { asDay, hourOf } from '../../ui/moments.ts'
import { Page } from '../../ui/page.tsx'
import css from './dashboard.module.css'

export function Dashboard() {
  const { me, company } = useSignedIn()
  return (
    <Page title="Dashboard">
      <section className={css.hello} aria-labelledby="hello">
        <h2 id="hello">
          {greeting(hourOf(Date.now()))}, <bdi>{me.name}</bdi>
        </h2>
        <p>
          Your dashboard is not available yet. Find your people, deals and tasks in Records, and what agents did in
          Agent activity.
        </p>
        <dl className={css.facts}>
          <Fact name="Company" value={<bdi>{company.name}</bdi>} />
          <Fact name="Your role" value={me.role} />
          <Fact name="Using Kith since" value={asDay(company.created_at)} />
        </dl>
      </section>
      <Part title="Good places to start" className={css.start}>
        <ul className={css.pointers}>
          <li>
            <Link to={pages.records} className={css.pointer}>
              <Pointer icon={Contact} title="Records">
                People, organizations, deals and everything else.
              </Pointer>
            </Link>
          </li>
          <li>
            <Link to={pages.activity} className={css.pointer}>
              <Pointer icon={Bot} title="Agent activity">
                See what agents changed, and undo it.
              </Pointer>
            </Link>
          </li>
          <li>
            <Link to={companySections.members.to} className={css.pointer}>
              <Pointer icon={UsersRound} title="Your team">
                See who works with you in Kith.
              </Pointer>
            </Link>
          </li>
          <li>
            <Link to={pages.profile} className={css.pointer}>
              <Pointer icon={CircleUserRound} title="Your account">
                Set your name, and choose a light or dark theme.
              </Pointer>
            </Link>
          </li>
          <li>
            <a href="/api/v1/openapi.json" className={css.pointer}>
              <Pointer icon={FileJson} title="OpenAPI description" leaves>
                All operations, for programs and agents.
              </Pointer>
            </a>
          </li>
        </ul>
      </Part>
    </Page>
  )
}

const greeting = (hour: number) =>
  hour < 5 ? 'Hello' : hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening'

const Fact = ({ name, value }: { name: string; value: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

type PointerProps = { icon: LucideIcon; title: string; leaves?: boolean; children: ReactNode }

const Pointer = ({ icon: Icon, title, leaves, children }: PointerProps) => (
  <>
    <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
    <span>
      <strong>
        {title}
        {leaves && <ArrowUpRight size={14} aria-hidden="true" />}
      </strong>
      <small>{children}</small>
    </span>
  </>
)
