import { Button } from '@mantine/core'
import { Handshake } from 'lucide-react'
import { useMemo } from 'react'
import { openCreate } from '../../records/data/open-create.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { Message } from '../../ui/basics/states.tsx'
import { BarChart } from '../../ui/charts/bar-chart.tsx'
import { ChartFrame } from '../../ui/charts/chart-frame.tsx'
import type { Series } from '../../ui/charts/data.ts'
import { asNumber, asPercent } from '../../ui/text/numbers.ts'
import { countOf, type Figure, useHrefOf, type WidgetAnswer } from './dashboard-api.ts'
import { axisFormat, cellIn, measureLike, numberIn, textIn } from './measured.ts'
import { asPeriod } from './periods.ts'
import { FigureLink, WidgetCard } from './widget-card.tsx'
import css from './widgets.module.css'

type Props = { title: string; of: WidgetAnswer }

const useDeals = ({ figures, total }: WidgetAnswer) => {
  const key = figures[0]?.object ?? total?.object
  return useSchema().find((object) => object.key === key)
}

const CreateDeal = ({ deals }: { deals: ObjectShape | undefined }) =>
  deals?.rights.create && (
    <Button variant="default" size="compact-sm" onClick={() => openCreate(deals.key)}>
      Create a deal
    </Button>
  )

/** Open deals by stage: how many, how much, and how much of it by their probability. */
export function PipelineWidget({ title, of: answer }: Props) {
  const deals = useDeals(answer)
  const { figures, total, currency } = answer
  if (!countOf(total))
    return (
      <WidgetCard title={title}>
        <Message size="small" icon={Handshake} action={<CreateDeal deals={deals} />}>
          No open deals yet. Create one to see your pipeline here.
        </Message>
      </WidgetCard>
    )
  const [sum, weighted] = [measureLike(figures, 'sum'), measureLike(figures, 'weighted')]
  const largest = Math.max(1, ...figures.map((one) => numberIn(one, sum) ?? 0))
  const pipelines = [...Map.groupBy(figures, ({ keys }) => keys[0])]
  const cells = (figure: Figure, name: string) =>
    (['count', sum, weighted] as const).map((measure, place) => (
      <td key={measure} data-extra={place === 2 || undefined}>
        <FigureLink of={figure} label={`${name}: ${textIn(figure, measure, deals, currency)}`}>
          {textIn(figure, measure, deals, currency)}
        </FigureLink>
      </td>
    ))
  const rowOf = (figure: Figure, names: string[]) => [
    ...names.map((text) => ({ text })),
    ...['count', sum, weighted].map((measure) => cellIn(figure, measure, deals, currency)),
  ]
  const saved = [
    ['Pipeline', 'Stage', 'Deals', 'Amount', 'Weighted'].map((text) => ({ text })),
    ...figures.map((figure) => rowOf(figure, [figure.labels[0] ?? '', figure.labels[1] ?? ''])),
    ...(total ? [rowOf(total, ['Total', ''])] : []),
  ]
  return (
    <WidgetCard title={title} subtitle="Open deals by stage" cells={saved}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">Stage</th>
            <th scope="col">Deals</th>
            <th scope="col">Amount</th>
            <th scope="col" data-extra>
              Weighted
            </th>
          </tr>
        </thead>
        {pipelines.map(([key, stages]) => (
          <tbody key={String(key)}>
            {pipelines.length > 1 && (
              <tr className={css.part}>
                <th colSpan={4} scope="rowgroup">
                  <bdi>{stages[0]!.labels[0] ?? 'No pipeline'}</bdi>
                </th>
              </tr>
            )}
            {stages.map((figure) => {
              const name = figure.labels[1] ?? 'No stage'
              return (
                <tr key={figure.keys.join()}>
                  <th scope="row">
                    <span className={css.barName}>
                      <bdi>{name}</bdi>
                      <span
                        className={css.bar}
                        style={{ width: `${Math.round(((numberIn(figure, sum) ?? 0) / largest) * 100)}%` }}
                      />
                    </span>
                  </th>
                  {cells(figure, name)}
                </tr>
              )
            })}
          </tbody>
        ))}
        {total && (
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              {cells(total, 'Total')}
            </tr>
          </tfoot>
        )}
      </table>
    </WidgetCard>
  )
}

const outcomes = [
  { key: 'won', name: 'Won', isGood: true },
  { key: 'lost', name: 'Lost', isGood: false },
]

/** This month beside last month. */
export function WonAndLost({ title, of: answer }: Props) {
  const deals = useDeals(answer)
  const { figures, currency } = answer
  const sum = measureLike(figures, 'sum')
  const find = (key: string) => figures.find((figure) => figure.key === key)
  const saved = [
    ['', 'Month', 'Deals', 'Amount'].map((text) => ({ text })),
    ...figures.map((figure) => [
      { text: outcomes.find(({ key }) => key === figure.keys[0])?.name ?? '' },
      { text: asPeriod(String(figure.keys[1]), 'month') },
      cellIn(figure, 'count', deals, currency),
      cellIn(figure, sum, deals, currency),
    ]),
  ]
  return (
    <WidgetCard title={title} subtitle="This month so far" cells={saved}>
      <div className={css.outcomes}>
        {outcomes.map(({ key, name, isGood }) => {
          const [now, before] = [find(`${key}_this_month`), find(`${key}_last_month`)]
          if (!now || !before) return null
          const change = trendOf(numberIn(now, sum), numberIn(before, sum))
          return (
            <section key={key} aria-label={name} className={css.outcome}>
              <header>
                <h3>{name}</h3>
                {change !== undefined && (
                  <span className={css.trend} data-good={change === 0 ? undefined : change > 0 === isGood}>
                    {change > 0 ? '↑' : change < 0 ? '↓' : '→'} {asPercent(Math.abs(change))}
                  </span>
                )}
              </header>
              <p>
                <FigureLink
                  of={now}
                  className={css.large}
                  label={`${name} this month: ${amount(now)}, ${dealsIn(now)}`}
                >
                  {amount(now)}
                </FigureLink>
                <span>{dealsIn(now)}</span>
              </p>
              <p className={css.dim}>
                <span>
                  Last month{' '}
                  <FigureLink of={before} label={`${name} last month: ${amount(before)}, ${dealsIn(before)}`}>
                    {amount(before)}
                  </FigureLink>
                </span>
                <span>{dealsIn(before)}</span>
              </p>
            </section>
          )
        })}
      </div>
    </WidgetCard>
  )

  function amount(figure: Figure) {
    return textIn(figure, sum, deals, currency)
  }
}

const dealsIn = (figure: Figure) => (countOf(figure) === 1 ? '1 deal' : `${asNumber(countOf(figure))} deals`)

/** As a share of what was before. Nothing to compare with: none. */
const trendOf = (now: number | null, before: number | null) =>
  now === null || !before ? undefined : (now - before) / Math.abs(before)

/** Open deals by the month in which they should close. */
export function ForecastWidget({ title, of: answer }: Props) {
  const deals = useDeals(answer)
  const hrefOf = useHrefOf()
  const { figures, currency, total } = answer
  // biome-ignore lint/correctness/useExhaustiveDependencies: addresses follow from the figures
  const series = useMemo((): Series[] => {
    const of = (name: string, label: string): Series => {
      const measure = measureLike(figures, name)
      const points = figures.map((figure) => {
        const href = hrefOf(figure)
        const key = String(figure.keys[0])
        const text = `${textIn(figure, measure, deals, currency)}, ${dealsIn(figure)}`
        return { key, label: asPeriod(key, 'month'), value: numberIn(figure, measure), text, ...(href && { href }) }
      })
      return { key: name, label, points }
    }
    return countOf(total) ? [of('sum', 'Amount'), of('weighted', 'Weighted')] : []
  }, [figures, total, currency, deals])
  return (
    <ChartFrame
      title={title}
      subtitle="Open deals by expected close"
      by="Month"
      isTime
      series={series}
      {...axisFormat(measureLike(figures, 'sum'), deals, currency)}
      height={0}
      empty={
        <>
          <p>No open deals are expected to close in the next six months. Give your deals a close date.</p>
          <CreateDeal deals={deals} />
        </>
      }
    >
      <BarChart />
    </ChartFrame>
  )
}
