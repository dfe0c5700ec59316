// The parts of a table that CSS stacks where there is little room. That takes their roles away, so they are said aloud.
import type { ComponentProps } from 'react'

// biome-ignore-start lint/a11y/noRedundantRoles: see above
export const Table = (props: ComponentProps<'table'>) => <table role="table" {...props} />
export const TableHead = (props: ComponentProps<'thead'>) => <thead role="rowgroup" {...props} />
export const TableBody = (props: ComponentProps<'tbody'>) => <tbody role="rowgroup" {...props} />
export const TableRow = (props: ComponentProps<'tr'>) => <tr role="row" {...props} />
export const ColumnHead = (props: ComponentProps<'th'>) => <th role="columnheader" scope="col" {...props} />
export const RowHead = (props: ComponentProps<'th'>) => <th role="rowheader" scope="row" {...props} />
export const Cell = (props: ComponentProps<'td'>) => <td role="cell" {...props} />
// biome-ignore-end lint/a11y/noRedundantRoles: see above
