import { ActionIcon, Menu } from '@mantine/core'
import { ChartNoAxesColumn, Ellipsis, Table } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import css from './charts.module.css'
import type { Series } from './data.ts'
import { SaveItems } from './save-items.tsx'
import { chartCsv } from './to-csv.ts'
import { chartPng } from './to-png.ts'

type Props = {
  title: string
  subtitle?: string
  by: string
  /** Undefined if there is nothing to show or to save. */
  series: Series[] | undefined
  isTable: boolean
  onTable: (isTable: boolean) => void
  /** What holds the drawing. */
  drawing: RefObject<HTMLElement | null>
  children?: ReactNode
}

export function ChartMenu({ title, subtitle, by, series, isTable, onTable, drawing, children }: Props) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" className={css.menu} aria-label={`Options for ${title}`}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {series && (
          <>
            <Menu.Item
              leftSection={isTable ? <ChartNoAxesColumn size={14} /> : <Table size={14} />}
              onClick={() => onTable(!isTable)}
            >
              {isTable ? 'Show as chart' : 'Show as table'}
            </Menu.Item>
            <SaveItems
              title={title}
              csv={() => chartCsv(by, series)}
              png={isTable ? undefined : () => chartPng(drawing.current!, title, subtitle)}
            />
          </>
        )}
        {series && children && <Menu.Divider />}
        {children}
      </Menu.Dropdown>
    </Menu>
  )
}
