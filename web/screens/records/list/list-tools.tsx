import { ActionIcon, Button, Popover, Tooltip } from '@mantine/core'
import { ArrowUpDown, Columns3, Rows3, Rows4 } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { ObjectShape } from '../../../records/schema.ts'
import { ColumnChoice } from './column-choice.tsx'
import css from './list.module.css'
import { ListMenu } from './list-menu.tsx'
import { SortChoice } from './sort-choice.tsx'
import type { ListState } from './use-list-state.ts'

type Props = { object: ObjectShape; state: ListState; isNarrow: boolean; onExport: () => void }

/** How the list is sorted and what it shows. */
export const ListTools = memo(function ListTools({ object, state, isNarrow, onExport }: Props) {
  const isCompact = state.layout === 'compact'
  const other = isCompact ? 'Comfortable rows' : 'Compact rows'
  return (
    <div className={css.tools}>
      <Choice
        name="Sort"
        label={state.sort.length ? `Sort · ${state.sort.length}` : 'Sort'}
        icon={<ArrowUpDown size={14} aria-hidden="true" />}
      >
        <SortChoice object={object} state={state} />
      </Choice>
      <Choice
        name="Columns"
        label={isNarrow ? 'Fields' : 'Columns'}
        icon={<Columns3 size={14} aria-hidden="true" />}
        padding={0}
      >
        <ColumnChoice object={object} state={state} />
      </Choice>
      {!isNarrow && (
        <Tooltip label={other}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={other}
            onClick={() => state.change({ layout: isCompact ? 'comfortable' : 'compact' })}
          >
            {isCompact ? <Rows3 size={15} aria-hidden="true" /> : <Rows4 size={15} aria-hidden="true" />}
          </ActionIcon>
        </Tooltip>
      )}
      <ListMenu object={object} onExport={onExport} />
    </div>
  )
})

type ChoiceProps = { name: string; label: string; icon: ReactNode; padding?: number; children: ReactNode }

const Choice = ({ name, label, icon, padding, children }: ChoiceProps) => (
  <Popover position="bottom-end" width={320} shadow="md" trapFocus returnFocus withinPortal>
    <Popover.Target>
      <Button variant="subtle" color="gray" size="compact-sm" leftSection={icon}>
        {label}
      </Button>
    </Popover.Target>
    <Popover.Dropdown aria-label={name} p={padding}>
      {children}
    </Popover.Dropdown>
  </Popover>
)
