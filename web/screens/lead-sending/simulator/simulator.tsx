import { Button, Switch } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FlaskConical, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useStore } from '../../../client/store.ts'
import { PartTitle } from '../../../ui/basics/layout.tsx'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { say } from '../../../ui/basics/notices.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { Confirm } from '../../../ui/form/dialog.tsx'
import { moved, Sortable } from '../../../ui/form/reorder.tsx'
import { RowMenu } from '../../../ui/page/rows.tsx'
import {
  applyDraft,
  changesIn,
  type Draft,
  type Drafted,
  draftOf,
  draftStore,
  newRoute,
  putDraft,
} from '../routes/route-draft.ts'
import { RouteForm } from '../routes/route-form.tsx'
import { RouteRow } from '../routes/route-row.tsx'
import css from '../routes/routes.module.css'
import { type Destination, destinationsQuery, type Route, routesQuery, useChanged } from '../shared/queries.ts'
import { useSendingSearch } from '../shared/search.ts'
import { Comparison } from './comparison.tsx'
import own from './simulator.module.css'

/** A draft of all routes beside what it would have done with the leads of the last 30 days, before it is switched on. */
export function Simulator() {
  const routes = useQuery(routesQuery)
  const destinations = useQuery(destinationsQuery)
  return (
    <Loaded query={routes} what="routes" height={320}>
      {(today) => <WithRoutes routes={today} destinations={destinations.data ?? []} />}
    </Loaded>
  )
}

type Props = { routes: Route[]; destinations: Destination[] }

function WithRoutes({ routes, destinations }: Props) {
  const { openTab } = useSendingSearch()
  const kept = useStore(draftStore)
  const drafts = kept ?? routes.map(draftOf)
  const changes = changesIn(drafts, routes)
  if (!drafts.length)
    return (
      <Message
        icon={FlaskConical}
        title="Nothing to simulate yet"
        action={
          <Button variant="default" onClick={() => openTab('routes')}>
            Set up routes
          </Button>
        }
      >
        Test route changes on leads from the last 30 days before you apply them. First add a destination and a route.
      </Message>
    )
  return (
    <div className={own.simulator}>
      <section aria-label="Draft routes">
        <DraftList drafts={drafts} routes={routes} destinations={destinations} changes={changes} />
      </section>
      <section aria-label="Effect of the draft">
        <Result drafts={drafts} isChanged={changes.length > 0} />
      </section>
    </div>
  )
}

function Result({ drafts, isChanged }: { drafts: Drafted[]; isChanged: boolean }) {
  const sent = drafts.map(({ key: _, version: __, ...draft }) => draft)
  const result = useQuery({
    queryKey: ['lead-sending', 'simulation', sent],
    queryFn: ({ signal }) => api.previewLeadRoutes({ routes: sent }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  return (
    <>
      <PartTitle
        title="The last 30 days"
        about="Every lead goes through both, assuming destinations accept every lead. Nothing is sent."
      />
      <Loaded query={result} what="the simulation" height={300}>
        {(shown) => <Comparison of={shown} isChanged={isChanged} isStale={result.isPlaceholderData} />}
      </Loaded>
    </>
  )
}

type ListProps = Props & { drafts: Drafted[]; changes: string[] }

function DraftList({ drafts, routes, destinations, changes }: ListProps) {
  const [open, setOpen] = useState<{ of: Drafted | undefined } | 'apply'>()
  const set = (next: Drafted) => draftStore.set(drafts.map((one) => (one.key === next.key ? next : one)))
  return (
    <>
      <PartTitle
        title="Draft"
        about="Turn routes on or off, reorder or edit them. Nothing takes effect until you apply it."
        action={
          <Button
            variant="default"
            size="xs"
            leftSection={<Plus size={14} />}
            onClick={() => setOpen({ of: undefined })}
          >
            Add route
          </Button>
        }
      />
      <Sortable
        label="Draft routes"
        items={drafts}
        keyOf={({ key }) => key}
        nameOf={({ name }) => name}
        onMove={(from, to) => draftStore.set(moved(drafts, from, to))}
        className={css.routes ?? ''}
      >
        {(one, index, moves) => (
          <RouteRow of={one} index={index} destinations={destinations} onOpen={() => setOpen({ of: one })}>
            <Switch
              size="sm"
              aria-label={`${one.name} is on`}
              checked={one.state === 'active'}
              onChange={(event) => set({ ...one, state: event.currentTarget.checked ? 'active' : 'paused' })}
            />
            <RowMenu
              of={one.name}
              actions={[{ label: 'Edit', icon: Pencil, open: () => setOpen({ of: one }) }, ...moves]}
            />
          </RouteRow>
        )}
      </Sortable>
      <div className={own.bar} role="status">
        <p>{changes.length ? `${changes.join('. ')}.` : 'No changes compared with your live routes.'}</p>
        {changes.length > 0 && (
          <div>
            <Button variant="default" onClick={() => draftStore.set(undefined)}>
              Discard draft
            </Button>
            <Button onClick={() => setOpen('apply')}>Apply draft</Button>
          </div>
        )}
      </div>
      {open === 'apply' && <Apply drafts={drafts} changes={changes} onClose={() => setOpen(undefined)} />}
      {open && open !== 'apply' && (
        <RouteForm
          title={open.of ? `Edit ${open.of.name} in the draft` : 'New route in the draft'}
          action="Change draft"
          route={open.of ?? newRoute(destinations)}
          destinations={destinations}
          save={async (sent) => {
            const { of } = open
            if (of) set({ ...of, ...(sent as Draft) })
            else putDraft(routes, sent as Draft)
          }}
          onSaved={() => setOpen(undefined)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

type ApplyProps = { drafts: Drafted[]; changes: string[]; onClose: () => void }

function Apply({ drafts, changes, onClose }: ApplyProps) {
  const changed = useChanged()
  const { openTab } = useSendingSearch()
  return (
    <Confirm
      title="Apply the draft?"
      action="Apply draft"
      isHarmless
      act={async () => {
        try {
          await applyDraft(drafts)
        } finally {
          await changed()
        }
      }}
      onDone={() => {
        draftStore.set(undefined)
        say('Draft applied')
        openTab('routes')
      }}
      onClose={onClose}
    >
      {changes.join('. ')}. Leads that come in from now on use these routes.
    </Confirm>
  )
}
