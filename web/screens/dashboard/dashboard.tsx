import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useEffect } from 'react'
import { defaultDashboard } from '../../../contract/dashboards.ts'
import { api } from '../../client/api.ts'
import { useSignedIn } from '../../client/session.ts'
import { hourOf } from '../../ui/moments.ts'
import { Page } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { Checklist } from './checklist.tsx'
import css from './dashboard.module.css'
import { answerQuery, type Widget as Defined, dashboardQuery, type WidgetAnswer } from './dashboard-api.ts'
import { packed } from './places.ts'
import { Widget } from './widget.tsx'

export function Dashboard() {
  const { me } = useSignedIn()
  const defined = useQuery(dashboardQuery(defaultDashboard))
  const answer = useQuery(answerQuery(defaultDashboard))
  useVisit()
  const failed = [defined, answer].find((query) => query.error && !query.data)
  return (
    <Page
      title="Dashboard"
      lead={
        <>
          {greeting(hourOf(Date.now()))}, <bdi>{me.name}</bdi>.
        </>
      }
      wide
    >
      {failed ? (
        <Failure
          error={failed.error}
          busy={defined.isFetching || answer.isFetching}
          onRetry={() => void Promise.all([defined.refetch(), answer.refetch()])}
        />
      ) : (
        <>
          <Checklist of={answer.data?.checklist ?? []} />
          <Grid widgets={defined.data?.widgets ?? []} answers={answer.data?.widgets} />
        </>
      )}
    </Page>
  )
}

type GridProps = { widgets: Defined[]; answers: WidgetAnswer[] | undefined }

const Grid = ({ widgets, answers }: GridProps) => (
  <div className={css.around}>
    <div className={css.grid}>
      {packed(widgets).map((widget) => (
        <div key={widget.id} className={css.place} style={styleOf(widget)} data-wide={widget.width > 6 || undefined}>
          <Widget of={widget} answer={answers?.find(({ id }) => id === widget.id)} isLoading={!answers} />
        </div>
      ))}
    </div>
  </div>
)

const styleOf = ({ x, y, width, height }: Defined) =>
  ({ '--x': x + 1, '--y': y + 1, '--width': width, '--height': height }) as CSSProperties

/** From now on, what others change on the user's records is new at the next visit. */
function useVisit() {
  useEffect(() => void api.visitDashboard({}).catch(() => {}), [])
}

const greeting = (hour: number) =>
  hour < 5 ? 'Hello' : hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening'
