import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { LayoutDashboard, Minimize, Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { defaultDashboard } from '../../../contract/dashboards.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { api } from '../../client/api.ts'
import { fetchAfterSaves, savesOf, savingKey } from '../../client/saving.ts'
import { useSignedIn } from '../../client/session.ts'
import { dashboardsKey } from '../../records/data/record-cache.ts'
import { isMissing } from '../../ui/basics/loaded.tsx'
import { complain } from '../../ui/basics/notices.tsx'
import { Page } from '../../ui/basics/page.tsx'
import { Failure, Message } from '../../ui/basics/states.tsx'
import { hourOf } from '../../ui/text/moments.ts'
import { firstName } from '../../users/first-name.ts'
import { Checklist } from './checklist.tsx'
import css from './dashboard.module.css'
import { answerQuery, type Dashboard as Defined, dashboardQuery, type Widget } from './dashboard-api.ts'
import { DashboardBar } from './dashboard-bar.tsx'
import { Grid } from './grid.tsx'
import { OwnerSelect, RangeSelect } from './scope-select.tsx'

/** The builder comes with the editor of filters, which is much; it is on its way before anyone can ask for it. */
const building = () => import('./widget-builder.tsx').then(({ WidgetBuilder }) => ({ default: WidgetBuilder }))
const WidgetBuilder = lazy(building)

export function Dashboard() {
  const { id = defaultDashboard } = useSearch({ from: '/frame/dashboard' })
  return <DashboardPage key={id} id={id} />
}

function DashboardPage({ id }: { id: string }) {
  const { me } = useSignedIn()
  const { range, owner } = useSearch({ from: '/frame/dashboard' })
  const scope = { ...(range && { range }), ...(owner && { owner }) }
  const defined = useQuery(dashboardQuery(id))
  const answer = useQuery(answerQuery(id, scope))
  useEffect(() => void building().catch(() => {}), [])
  const [isArranging, setArranging] = useState(false)
  const [built, setBuilt] = useState<Widget | 'new'>()
  const [isFull, setFull] = useFullScreen()
  const save = useSaveWidgets(defined.data)
  const arrange = (widgets: Widget[]) =>
    void save(widgets).catch((error) => complain('The dashboard could not be saved', error))
  const isDefault = id === defaultDashboard
  useVisit(isDefault)
  const failed = [defined, answer].find((query) => query.error && !query.data)
  const dashboard = defined.data
  const widgets = dashboard?.widgets ?? []
  return (
    <div className={isFull ? css.full : undefined}>
      <Page
        title={dashboard?.name ?? 'Dashboard'}
        lead={
          isDefault && (
            <>
              {greeting(hourOf(Date.now()))}, <bdi>{firstName(me.name)}</bdi>.
            </>
          )
        }
        actions={
          isFull ? (
            <Button variant="default" leftSection={<Minimize size={15} />} onClick={() => setFull(false)}>
              Exit full screen
            </Button>
          ) : (
            <div className={css.actions}>
              {dashboard && !isDefault && <ScopeOf dashboard={dashboard} />}
              <DashboardBar
                of={dashboard}
                isArranging={isArranging}
                onArrange={setArranging}
                onAdd={() => setBuilt('new')}
                onFull={() => setFull(true)}
              />
            </div>
          )
        }
        wide
      >
        {failed && isMissing(failed.error) && !isDefault ? (
          <Message icon={LayoutDashboard} title="This dashboard does not exist">
            It may have been deleted, or it is not shared with you.
          </Message>
        ) : failed ? (
          <Failure
            error={failed.error}
            busy={defined.isFetching || answer.isFetching}
            onRetry={() => void Promise.all([defined.refetch(), answer.refetch()])}
          />
        ) : (
          <>
            <Checklist of={answer.data?.checklist ?? []} />
            {dashboard && !widgets.length && <NoWidgets of={dashboard} onAdd={() => setBuilt('new')} />}
            <Grid
              widgets={widgets}
              answers={answer.data?.widgets}
              isFitted={isDefault}
              arranging={
                isArranging && dashboard?.may_edit
                  ? {
                      onArrange: arrange,
                      onEdit: setBuilt,
                      onRemove: (widget) => arrange(widgets.filter((one) => one.id !== widget.id)),
                    }
                  : undefined
              }
            />
          </>
        )}
      </Page>
      {built && dashboard && (
        <Suspense>
          <WidgetBuilder
            of={built === 'new' ? undefined : built}
            dashboard={dashboard}
            scope={scope}
            onSave={save}
            onClose={() => setBuilt(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}

const NoWidgets = ({ of: { may_edit }, onAdd }: { of: Defined; onAdd: () => void }) => (
  <Message
    icon={LayoutDashboard}
    title="No widgets yet"
    action={
      may_edit && (
        <Button leftSection={<Plus size={15} />} onClick={onAdd}>
          Add widget
        </Button>
      )
    }
  >
    {may_edit ? 'Add a number, a chart or a list of records.' : 'Its owner has not added any widgets.'}
  </Message>
)

/** Narrows all widgets for the viewer. The default is in the settings. */
function ScopeOf({ dashboard }: { dashboard: Defined }) {
  const search = useSearch({ from: '/frame/dashboard' })
  const navigate = useNavigate()
  const set = (change: { range?: string | undefined; owner?: string | undefined }) =>
    void navigate({ to: pages.dashboard, search: { ...search, ...change }, replace: true })
  return (
    <div className={css.scope}>
      <RangeSelect
        label="Range"
        isBare
        none="All time"
        value={search.range ?? dashboard.range}
        onChange={(range) => set({ range: range ?? undefined })}
      />
      <OwnerSelect
        label="Owner"
        isBare
        none="Everyone"
        value={search.owner ?? dashboard.owner}
        onChange={(owner) => set({ owner: owner ?? undefined })}
      />
    </div>
  )
}

/**
 * Shown at once, taken back when refused; one after the other, and never over what someone else has saved. What comes
 * after your own change builds on the version that this change made.
 */
function useSaveWidgets(dashboard: Defined | undefined) {
  const client = useQueryClient()
  const [own] = useState(() => new Map<number, number>())
  const key = dashboardQuery(dashboard?.id ?? '').queryKey
  const { mutateAsync } = useMutation({
    mutationKey: savingKey(key),
    scope: { id: 'dashboard' },
    mutationFn: async ({ widgets, version }: { widgets: Widget[]; version: number }) => {
      let base = version
      while (own.has(base)) base = own.get(base)!
      const saved = await api.updateDashboard({ id: dashboard!.id, widgets, version: base })
      own.set(base, saved.version)
      return saved
    },
    onMutate: ({ widgets }) => {
      void client.cancelQueries({ queryKey: key })
      const before = client.getQueryData(key)
      if (before) client.setQueryData(key, { ...before, widgets })
      return before
    },
    onError: (_, __, before) => {
      if (before && savesOf(client, key) === 1) client.setQueryData(key, before)
    },
    onSettled: () => fetchAfterSaves(client, key, [dashboardsKey]),
  })
  return (widgets: Widget[]) => mutateAsync({ widgets, version: client.getQueryData(key)?.version ?? 1 })
}

/** Covers the rest of the app, and the screen if the browser agrees. */
function useFullScreen() {
  const [isFull, setIsFull] = useState(false)
  useEffect(() => {
    if (!isFull) return
    const left = () => !document.fullscreenElement && setIsFull(false)
    const press = ({ key }: KeyboardEvent) => key === 'Escape' && setIsFull(false)
    document.addEventListener('fullscreenchange', left)
    window.addEventListener('keydown', press)
    return () => {
      document.removeEventListener('fullscreenchange', left)
      window.removeEventListener('keydown', press)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [isFull])
  const set = (on: boolean) => {
    setIsFull(on)
    if (on) document.documentElement.requestFullscreen?.().catch(() => {})
  }
  return [isFull, set] as const
}

/** From now on, what others change on the user's records is new at the next visit. */
function useVisit(isDefault: boolean) {
  useEffect(() => {
    if (isDefault) void api.visitDashboard({}).catch(() => {})
  }, [isDefault])
}

const greeting = (hour: number) =>
  hour < 5 ? 'Hello' : hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening'
