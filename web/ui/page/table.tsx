import { VisuallyHidden } from '@mantine/core'
import type { ComponentProps, Key, ReactNode } from 'react'
import { type Screen, useIsUpTo } from '../basics/screen.ts'
import css from './table.module.css'

export type Column<Item> = {
  /** Names its place in a stacked row, and the cell in CSS. */
  key: string
  label: string
  /** At the head, in place of the label. */
  head?: ReactNode
  /** The label is only heard: a column of checkboxes or buttons. */
  isQuiet?: boolean
  /** Stacked, the value explains itself without its label. */
  bare?: boolean
  cell: (item: Item) => ReactNode
}

type Props<Item> = {
  label: string
  columns: Column<Item>[]
  items: readonly Item[]
  /** Attributes of a row: `data-off`. */
  row?: (item: Item) => ComponentProps<'tr'> & { [data: `data-${string}`]: unknown }
  className?: string
  /** Up to this width of the screen the rows stack into cards; say with grid-template-areas how their cells lie. */
  stackOn?: Screen
  /** No cell needs its label, even when stacked. */
  bare?: boolean
} & (Item extends { id: string } ? { keyOf?: KeyOf<Item> } : { keyOf: KeyOf<Item> })

type KeyOf<Item> = (item: Item) => Key
const idOf = (item: unknown) => (item as { id: string }).id

/** A table whose rows may stack into cards: CSS that stacks takes the roles away, so they are said aloud. */
export function DataTable<Item>(props: Props<Item>) {
  const { label, columns, items, keyOf = idOf, row, className = '', stackOn = 'tablet' } = props
  const stacked = useIsUpTo(stackOn)
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <table role="table" className={`${css.table} ${className}`} aria-label={label} data-stacked={stacked || undefined}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ key, label, isQuiet, head = label }) => (
            <th key={key} role="columnheader" scope="col">
              {isQuiet ? <VisuallyHidden>{label}</VisuallyHidden> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items.map((item) => (
          <tr key={keyOf(item)} role="row" {...row?.(item)}>
            {columns.map(({ key, label, isQuiet, bare, cell }) => (
              <td
                key={key}
                role="cell"
                data-kind={key}
                data-label={bare || props.bare || isQuiet ? undefined : label}
                style={{ gridArea: key }}
              >
                {cell(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  )
}
