import { Button, Skeleton } from '@mantine/core'
import { ChartNoAxesColumn, RotateCw, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { wordsOf } from '../basics/errors.ts'
import { Panel } from '../basics/layout.tsx'
import { Message } from '../basics/states.tsx'
import { asShortNumber } from '../text/numbers.ts'
import { ChartContext } from './chart.ts'
import { ChartMenu } from './chart-menu.tsx'
import { ChartTable } from './chart-table.tsx'
import css from './charts.module.css'
import { categoriesOf, hasValues, type Series } from './data.ts'

type Props = {
  title: string
  subtitle?: string
  /** Undefined while it loads. */
  series: Series[] | undefined
  /** What the categories are: "Stage". Heads the first column of the table. */
  by: string
  /** The categories are days, weeks or months, so that not all of their labels are needed. */
  isTime?: boolean
  /** Of the values on an axis. */
  format?: (value: number) => string
  /** How far apart these may be, in ascending order, for what is not decimal: minutes. */
  steps?: readonly number[]
  /** Of what is below the title, whatever is shown there, so that nothing jumps. */
  height?: number
  error?: unknown
  onRetry?: () => unknown
  isRetrying?: boolean
  /** Why there is nothing, and what to do. */
  empty?: ReactNode
  /** More items for the menu. */
  menu?: ReactNode
  level?: 2 | 3
  children: ReactNode
}

/** A chart with its title, its menu and the table behind it. */
export function ChartFrame({ title, subtitle, by, height = 240, menu, level = 2, children, ...state }: Props) {
  const [isTable, setIsTable] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const id = useId()
  const Heading = `h${level}` as const
  const { series, format = asShortNumber, steps, isTime = false } = state
  const isDrawn = series !== undefined && hasValues(series)
  const chart = useMemo(
    () => ({ title, series: series ?? [], categories: categoriesOf(series ?? []), format, steps, isTime }),
    [title, series, format, steps, isTime],
  )
  return (
    <Panel as="section" className={css.frame} aria-labelledby={id}>
      <header className={css.head}>
        <div className={css.titles}>
          <Heading id={id} title={title}>
            <bdi>{title}</bdi>
          </Heading>
          {subtitle && (
            <p className={css.subtitle} title={subtitle}>
              <bdi>{subtitle}</bdi>
            </p>
          )}
        </div>
        {(isDrawn || menu) && (
          <ChartMenu
            title={title}
            subtitle={subtitle}
            by={by}
            isTable={isTable}
            series={isDrawn ? series : undefined}
            onTable={setIsTable}
            drawing={body}
          >
            {menu}
          </ChartMenu>
        )}
      </header>
      <div ref={body} className={css.body} style={{ flexBasis: height + 8 }}>
        {!isDrawn ? (
          <Instead title={title} {...state} />
        ) : (
          <ChartContext value={chart}>{isTable ? <ChartTable title={title} by={by} /> : children}</ChartContext>
        )}
      </div>
    </Panel>
  )
}

type InsteadProps = Pick<Props, 'title' | 'series' | 'error' | 'onRetry' | 'isRetrying' | 'empty'>

/** Nothing to draw: it loads, it failed, or there is no data. */
function Instead({ title, series, error, onRetry, isRetrying, empty = 'No data for this period.' }: InsteadProps) {
  if (series)
    return (
      <Message size="small" icon={ChartNoAxesColumn}>
        {empty}
      </Message>
    )
  if (!error) return <Skeleton height="100%" radius="md" role="status" aria-label={`Loading ${title}`} />
  const retry = onRetry && (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<RotateCw size={14} />}
      loading={isRetrying}
      onClick={() => onRetry()}
    >
      Retry
    </Button>
  )
  return (
    <Message size="small" tone="bad" icon={TriangleAlert} action={retry}>
      {wordsOf(error)}
    </Message>
  )
}
