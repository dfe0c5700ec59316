import { useQuery } from '@tanstack/react-query'
import { LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSignedIn } from '../../client/session.ts'
import { Page } from '../../ui/basics/page.tsx'
import { Message } from '../../ui/basics/states.tsx'
import { PageTabs } from '../../ui/page/tabs.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import { Deliveries } from './deliveries/deliveries.tsx'
import { Destinations } from './destinations/destinations.tsx'
import { LeadsIn } from './leads-in.tsx'
import { Reports } from './reports/reports.tsx'
import { Returns } from './returns/returns.tsx'
import { Routes } from './routes/routes.tsx'
import css from './shared/lead-sending.module.css'
import { destinationsQuery } from './shared/queries.ts'
import { type Tab, useSendingSearch } from './shared/search.ts'
import { Simulator } from './simulator/simulator.tsx'

const labels: Record<Tab, string> = {
  routes: 'Routes',
  simulator: 'Simulator',
  destinations: 'Destinations',
  deliveries: 'Deliveries',
  returns: 'Returns',
  reports: 'Reports',
  in: 'Incoming',
}
const parts: Record<Tab, ReactNode> = {
  routes: <Routes />,
  simulator: <Simulator />,
  destinations: <Destinations />,
  deliveries: <Deliveries />,
  returns: <Returns />,
  reports: <Reports />,
  in: <LeadsIn />,
}

/** Routes, destinations, deliveries, returns and reports of leads, and how to send leads to Kith. */
export function LeadSending() {
  const { may } = useSignedIn()
  return (
    <Page
      title="Lead sending"
      lead="Send leads to partners, your team or other systems by rules, and see why each lead went where it did."
      wide
    >
      {may('lead_sending.manage') ? (
        <Parts />
      ) : (
        <Message icon={LockKeyhole} title="You cannot manage lead sending">
          Ask an Admin for the permission “Manage lead sending”.
        </Message>
      )}
    </Page>
  )
}

function Parts() {
  const { search, openTab } = useSendingSearch()
  const { data: destinations = [] } = useQuery(destinationsQuery)
  const unknown = destinations.reduce((sum, one) => sum + one.unknown, 0)
  const toSettle = unknown > 0 && (
    <span className={css.count} title={`${asNumber(unknown)} to resolve`}>
      {asNumber(unknown)}
    </span>
  )
  return (
    <PageTabs
      label="Parts of lead sending"
      of={labels}
      parts={parts}
      tab={search.tab ?? 'routes'}
      onTab={openTab}
      marks={{ deliveries: toSettle || undefined }}
    />
  )
}
