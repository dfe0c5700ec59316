import { useMediaQuery } from '@mantine/hooks'
import type { ComponentProps, ReactNode } from 'react'
import css from './table.module.css'

const widths = { phone: '47.99em', tablet: '61.99em', laptop: '74.99em' }

type Props = {
  label: string
  head: ReactNode
  className?: string
  /** Up to this width of the screen the rows stack into cards; say with grid-template-areas how their cells lie. */
  stackOn?: keyof typeof widths
  children: ReactNode
}

/** A table whose rows may stack into cards: CSS that stacks takes the roles away, so they are said aloud. */
export function Table({ label, head, className = '', stackOn = 'tablet', children }: Props) {
  const stacked = useMediaQuery(`(max-width: ${widths[stackOn]})`, false, { getInitialValueInEffect: false })
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <table role="table" className={`${css.table} ${className}`} aria-label={label} data-stacked={stacked || undefined}>
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <thead role="rowgroup">
        <Row>{head}</Row>
      </thead>
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <tbody role="rowgroup">{children}</tbody>
    </table>
  )
}

export const Head = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/noRedundantRoles: see above
  <th role="columnheader" scope="col">
    {children}
  </th>
)

// biome-ignore lint/a11y/noRedundantRoles: see above
export const Row = (props: ComponentProps<'tr'>) => <tr role="row" {...props} />

/** `kind` names its place in a stacked row; `label` is what stands before it there. */
type CellProps = { kind: string; label?: string; children: ReactNode }

export const Cell = ({ kind, label, children }: CellProps) => (
  // biome-ignore lint/a11y/noRedundantRoles: see above
  <td role="cell" data-kind={kind} data-label={label} style={{ gridArea: kind }}>
    {children}
  </td>
)
