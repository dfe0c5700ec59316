import type { ComponentProps, ReactNode } from 'react'
import css from './table.module.css'

type Props = { label: string; head: ReactNode; className?: string; children: ReactNode }

/** A table whose rows may stack into cards: CSS that stacks takes the roles away, so they are said aloud. */
export const Table = ({ label, head, className, children }: Props) => (
  // biome-ignore lint/a11y/noRedundantRoles: see above
  <table className={`${css.table} ${className ?? ''}`} role="table" aria-label={label}>
    {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
    <thead role="rowgroup">
      <Row>{head}</Row>
    </thead>
    {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
    <tbody role="rowgroup">{children}</tbody>
  </table>
)

export const Head = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/noRedundantRoles: see above
  <th role="columnheader" scope="col">
    {children}
  </th>
)

// biome-ignore lint/a11y/noRedundantRoles: see above
export const Row = (props: ComponentProps<'tr'>) => <tr role="row" {...props} />

export const Cell = ({ kind, children }: { kind: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noRedundantRoles: see above
  <td role="cell" data-kind={kind}>
    {children}
  </td>
)
