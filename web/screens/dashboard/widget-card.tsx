import { ActionIcon, Menu, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CircleAlert, Ellipsis } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Panel } from '../../ui/basics/layout.tsx'
import { Message } from '../../ui/basics/states.tsx'
import { SaveItems } from '../../ui/charts/save-items.tsx'
import { type Cell, cellsCsv } from '../../ui/charts/to-csv.ts'
import { type Figure, listOf } from './dashboard-api.ts'
import css from './widgets.module.css'

type Props = {
  title: string
  /** How many there are in all. */
  count?: ReactNode
  subtitle?: ReactNode
  /** At the right of the title. */
  action?: ReactNode
  /** What is downloaded, with its head. Without it, there is nothing to download. */
  cells?: Cell[][] | undefined
  children: ReactNode
}

/** A widget that is no chart. Long content scrolls inside of it. */
export function WidgetCard({ title, count, subtitle, action, cells, children }: Props) {
  const id = useId()
  return (
    <Panel as="section" className={css.card} aria-labelledby={id}>
      <header className={css.head}>
        <h2 id={id}>
          <bdi>{title}</bdi>
        </h2>
        {count !== undefined && <span className={css.count}>{count}</span>}
        {subtitle && <span className={css.subtitle}>{subtitle}</span>}
        {(action || cells) && (
          <div className={css.action}>
            {action}
            {cells && <SaveMenu title={title} cells={cells} />}
          </div>
        )}
      </header>
      <div className={css.body}>{children}</div>
    </Panel>
  )
}

const SaveMenu = ({ title, cells }: { title: string; cells: Cell[][] }) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <ActionIcon variant="subtle" className={css.options} aria-label={`Options for ${title}`}>
        <Ellipsis size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <SaveItems title={title} csv={() => cellsCsv(cells)} />
    </Menu.Dropdown>
  </Menu>
)

type FigureLinkProps = {
  of: Pick<Figure, 'object' | 'filter'>
  label?: string
  className?: string
  children: ReactNode
}

/** A figure that leads to the list behind it. `label`: what it is, for those who hear only the number. */
export function FigureLink({ of: figure, label, className = '', children }: FigureLinkProps) {
  const list = listOf(figure)
  if (!list) return <span className={`${css.figure} ${className}`}>{children}</span>
  return (
    <Link {...list} className={`${css.figure} ${className}`} aria-label={label}>
      {children}
    </Link>
  )
}

export const WidgetFailed = ({ title, words }: { title: string; words: string }) => (
  <WidgetCard title={title}>
    <Message size="small" tone="bad" icon={CircleAlert}>
      {words}
    </Message>
  </WidgetCard>
)

export const WidgetSkeleton = ({ title }: { title: string }) => (
  <WidgetCard title={title}>
    <div className={css.waiting} role="status" aria-label={`Loading ${title}`}>
      {[88, 72, 80, 56].map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} radius="sm" />
      ))}
    </div>
  </WidgetCard>
)
