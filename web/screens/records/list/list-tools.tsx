import { ActionIcon, Button, Popover, Tooltip } from '@mantine/core'
import { ArrowUpDown, Columns3, Rows3, Rows4 } from 'lucide-react'
import { memo } from 'react'
import type { ObjectShape } from '../../../records/schema.ts'
import { ColumnChoice } from './column-choice.tsx'
import css from './list.module.css'
import { SortChoice } from './sort-choice.tsx'
import type { ListState } from './use-list-state.ts'

type Props = { object: ObjectShape; state: ListState; isNarrow: boolean }

/** How the list is sorted and what it shows. */
export const ListTools = memo(function ListTools({ object, state, isNarrow }: Props) {
  const isCompact = state.layout === 'compact'
  const other = isCompact ? 'Comfortable rows' : 'Compact rows'
  return (
    <div className={css.tools}>
      <Popover position="bottom-end" width={320} shadow="md" trapFocus returnFocus withinPortal>
        <Popover.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<ArrowUpDown size={14} aria-hidden="true" />}
          >
            {state.sort.length ? `Sort · ${state.sort.length}` : 'Sort'}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Sort">
          <SortChoice object={object} state={state} />
        </Popover.Dropdown>
      </Popover>
      <Popover position="bottom-end" width={320} shadow="md" trapFocus returnFocus withinPortal>
        <Popover.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<Columns3 size={14} aria-hidden="true" />}
          >
            {isNarrow ? 'Fields' : 'Columns'}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label="Columns" p={0}>
          <ColumnChoice object={object} state={state} />
        </Popover.Dropdown>
      </Popover>
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
    </div>
  )
})
