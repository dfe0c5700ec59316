import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { BellRing, Check, FlaskConical, Pause, Pencil, Play, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api } from '../../../client/api.ts'
import { Panel, PartTitle } from '../../../ui/basics/layout.tsx'
import { Loaded, LoadedList } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Confirm } from '../../../ui/form/dialog.tsx'
import { moved, Sortable, useOrder } from '../../../ui/form/reorder.tsx'
import { useSaveAtOnce } from '../../../ui/form/use-save-at-once.ts'
import { type Action, RowMenu } from '../../../ui/page/rows.tsx'
import { UserSelect } from '../../../users/user-select.tsx'
import { UsersSelect } from '../../../users/users-select.tsx'
import { DestinationDialog, type OpenDestination } from '../destinations/destinations.tsx'
import {
  type Destination,
  destinationsQuery,
  type Route,
  routesQuery,
  settingsQuery,
  useChanged,
} from '../shared/queries.ts'
import { useSendingSearch } from '../shared/search.ts'
import { draftOf, newRoute, putDraft } from './route-draft.ts'
import { RouteForm } from './route-form.tsx'
import { RouteRow } from './route-row.tsx'
import css from './routes.module.css'

type Open = { kind: 'new' } | { kind: 'edit' | 'delete'; of: Route }

/** The order in which leads are offered, and what happens at its end. */
export function Routes() {
  const routes = useQuery(routesQuery)
  const destinations = useQuery(destinationsQuery)
  const { openTab } = useSendingSearch()
  const [open, setOpen] = useState<Open>()
  const order = useOrder<Route[]>(routesQuery)
  const move = (next: Route[]) =>
    order({ apply: () => next, send: () => api.reorderLeadRoutes({ ids: next.map(({ id }) => id) }) })
  const add = () => setOpen({ kind: 'new' })
  return (
    <>
      {routes.data?.length ? (
        <PartTitle
          title="Routes"
          about="Each new lead goes through the routes from top to bottom until a destination accepts it."
          action={
            <>
              <Button variant="default" leftSection={<FlaskConical size={14} />} onClick={() => openTab('simulator')}>
                Simulate
              </Button>
              <Button leftSection={<Plus size={15} />} onClick={add}>
                Add route
              </Button>
            </>
          }
        />
      ) : null}
      <LoadedList
        query={routes}
        what="routes"
        height={220}
        empty={
          <Loaded query={destinations} what="destinations" height={220}>
            {(known) => <FirstSteps destinations={known} onRoute={add} />}
          </Loaded>
        }
      >
        {(items) => (
          <>
            <Sortable
              label="Routes"
              items={items}
              keyOf={({ id }) => id}
              nameOf={({ name }) => name}
              onMove={(from, to) => move(moved(items, from, to))}
              className={css.routes ?? ''}
            >
              {(route, index, moves) => (
                <RouteRow
                  of={route}
                  index={index}
                  destinations={destinations.data ?? []}
                  used={route.used}
                  problem={route.filter_error ?? remainderOf(items, index)}
                  onOpen={() => setOpen({ kind: 'edit', of: route })}
                >
                  <Actions of={route} moves={moves} onOpen={(kind) => setOpen({ kind, of: route })} />
                </RouteRow>
              )}
            </Sortable>
            <Nobody />
          </>
        )}
      </LoadedList>
      {open && (
        <OpenDialog
          open={open}
          destinations={destinations.data ?? []}
          routes={routes.data ?? []}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

/** Leads that an earlier route has placed are not offered to later ones. */
function remainderOf(routes: Route[], index: number) {
  const isCatchAll = ({ filter, state }: Route) => !filter?.trim() && state === 'active'
  const first = routes.slice(0, index).find((one) => isCatchAll(one) && !one.goes_on)
  const route = routes[index]
  return first && route && isCatchAll(route)
    ? `“${first.name}” also takes every lead. This route gets only the rest.`
    : null
}

type ActionsProps = { of: Route; moves: Action[]; onOpen: (kind: 'edit' | 'delete') => void }

function Actions({ of: route, moves, onOpen }: ActionsProps) {
  const changed = useChanged()
  const { mutate: turn } = useMutation({
    mutationFn: (state: Route['state']) => api.updateLeadRoute({ id: route.id, state }),
    onSuccess: ({ state }) => {
      say(`${route.name} is ${{ active: 'on', paused: 'paused', test: 'in test mode' }[state]}`)
      return changed()
    },
    onError: (error) => complain('The route was not changed', error),
  })
  return (
    <RowMenu
      of={route.name}
      actions={[
        { label: 'Edit', icon: Pencil, open: () => onOpen('edit') },
        ...(route.state === 'active' ? [] : [{ label: 'Turn on', icon: Play, open: () => turn('active') }]),
        ...(route.state === 'paused' ? [] : [{ label: 'Pause', icon: Pause, open: () => turn('paused') }]),
        ...(route.state === 'test' ? [] : [{ label: 'Test only', icon: FlaskConical, open: () => turn('test') }]),
        ...moves,
        { label: 'Delete', icon: Trash2, open: () => onOpen('delete') },
      ]}
    />
  )
}

/** From nothing to the first lead that is sent. */
function FirstSteps({ destinations, onRoute }: { destinations: Destination[]; onRoute: () => void }) {
  const [open, setOpen] = useState<OpenDestination>()
  const hasSome = destinations.length > 0
  return (
    <>
      <PartTitle
        title="Send your first lead"
        about="New leads are sent automatically as soon as a route is active. Existing leads are not sent."
      />
      <Panel as="ol" divided className={css.steps} aria-label="First steps">
        <Step
          number={1}
          isDone={hasSome}
          title="Add your destinations"
          action={
            <Button
              variant={hasSome ? 'default' : 'filled'}
              leftSection={<Plus size={15} />}
              onClick={() => setOpen({ kind: 'new' })}
            >
              {hasSome ? 'Add another' : 'Add destination'}
            </Button>
          }
        >
          {hasSome
            ? destinations.map(({ name }) => name).join(', ')
            : 'Who gets leads: a partner or buyer via HTTP or email, people on your team, or another Kith.'}
        </Step>
        <Step
          number={2}
          title="Add a route"
          action={
            <Button
              variant={hasSome ? 'filled' : 'default'}
              leftSection={<Plus size={15} />}
              disabled={!hasSome}
              onClick={onRoute}
            >
              Add route
            </Button>
          }
        >
          Which leads go there, how many per day, and at what price. One route can have several destinations.
        </Step>
        <Step number={3} title="Follow the deliveries">
          Deliveries shows every request and response, and why each lead went where it did.
        </Step>
      </Panel>
      {open && <DestinationDialog open={open} onOpen={setOpen} />}
    </>
  )
}

type StepProps = { number: number; isDone?: boolean; title: string; action?: ReactNode; children: ReactNode }

const Step = ({ number, isDone, title, action, children }: StepProps) => (
  <li data-done={isDone || undefined}>
    <span className={css.step}>
      {isDone ? <Check size={15} role="img" aria-label="Done" /> : <span aria-hidden="true">{number}</span>}
    </span>
    <div>
      <h3>{title}</h3>
      <p>{children}</p>
    </div>
    {action}
  </li>
)

type LeadSettings = Awaited<ReturnType<typeof api.getLeadSendingSettings>>

/** The end of the list: what happens if no route found a taker. */
function Nobody() {
  const settings = useQuery(settingsQuery)
  const save = useSaveAtOnce<LeadSettings, Partial<LeadSettings>>({
    queryKey: settingsQuery.queryKey,
    apply: (shown, changes) => ({ ...shown, ...changes }),
    send: api.updateLeadSendingSettings,
    refused: 'This was not saved',
    onSaved: () => say('Saved'),
  })
  return (
    <Panel as="section" sunken padded className={css.nobody} aria-label="Unplaced leads">
      <div>
        <h3>
          <BellRing size={15} /> Unplaced leads
        </h3>
        <p>How leads that no route could place are handled.</p>
      </div>
      <Loaded query={settings} what="settings" small>
        {({ nobody_user_ids, nobody_owner_id }) => (
          <div className={css.pair}>
            <UsersSelect
              label="Notify"
              placeholder="No one"
              value={nobody_user_ids}
              onChange={(ids) => save({ nobody_user_ids: ids })}
            />
            <UserSelect
              label="Make owner"
              state="active"
              value={nobody_owner_id}
              clearLabel="No one"
              placeholder="Keep the owner"
              onChange={(id) => save({ nobody_owner_id: id })}
            />
          </div>
        )}
      </Loaded>
    </Panel>
  )
}

type DialogProps = { open: Open; destinations: Destination[]; routes: Route[]; onClose: () => void }

function OpenDialog({ open, destinations, routes, onClose }: DialogProps) {
  const changed = useChanged()
  const { openTab } = useSendingSearch()
  if (open.kind === 'delete')
    return (
      <Confirm
        title={`Delete ${open.of.name}?`}
        action="Delete route"
        act={() => api.deleteLeadRoute({ id: open.of.id })}
        onDone={() => {
          say('Route deleted')
          return changed()
        }}
        onClose={onClose}
      >
        Its cap usage is also deleted. Leads already sent are not affected.
      </Confirm>
    )
  const route = open.kind === 'edit' ? open.of : undefined
  return (
    <RouteForm
      title={route ? `Edit ${route.name}` : 'New route'}
      action={route ? 'Save route' : 'Create route'}
      route={route ? draftOf(route) : newRoute(destinations)}
      problem={route?.filter_error}
      destinations={destinations}
      save={(sent) => (route ? api.updateLeadRoute({ id: route.id, ...sent }) : api.createLeadRoute(sent))}
      onSaved={async () => {
        say('Route saved')
        await changed()
        onClose()
      }}
      onSimulate={(draft) => {
        putDraft(routes, { ...draft, state: 'active', ...(route && { id: route.id }) })
        openTab('simulator')
      }}
      onClose={onClose}
    />
  )
}
