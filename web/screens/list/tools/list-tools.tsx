import { ActionIcon, Button, Menu, Popover, Tooltip } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArrowUpDown, Columns3, CopyCheck, Download, Ellipsis, ListChecks, Rows3, Rows4, Upload } from 'lucide-react'
import { memo, type ReactNode, useRef } from 'react'
import { useSignedIn } from '../../../client/session.ts'
import { isCompared } from '../../../records/data/compared.ts'
import { countQuery, type Question } from '../../../records/data/records-api.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import type { Rows } from '../../../records/lists/use-rows.ts'
import { ColumnChoice } from './column-choice.tsx'
import { GroupChoice } from './group-choice.tsx'
import css from './list.module.css'
import { SortChoice, sortWords } from './sort-choice.tsx'
import { TypeSwitch } from './type-switch.tsx'

type Props = {
  object: ObjectShape
  state: ListState
  isNarrow: boolean
  /** Left out: nothing can be selected or exported here. */
  isSelecting?: boolean | undefined
  onSelecting?: ((isSelecting: boolean) => void) | undefined
  onExport?: (() => void) | undefined
}

/** How the list is sorted and what it shows. */
export const ListTools = memo(function ListTools(props: Props) {
  const { object, state, isNarrow, isSelecting = false, onSelecting, onExport } = props
  const isCompact = state.layout === 'compact'
  const other = isCompact ? 'Comfortable rows' : 'Compact rows'
  const menu = (
    <ListMenu
      object={object}
      onExport={onExport}
      isSelecting={isSelecting}
      onSelecting={isNarrow ? onSelecting : undefined}
    />
  )
  if (isNarrow) return <div className={css.tools}>{menu}</div>
  const isTable = state.type === 'table'
  return (
    <div className={css.tools}>
      <TypeSwitch object={object} state={state} />
      {isTable && <GroupChoice object={object} state={state} />}
      {state.type !== 'calendar' && (
        <Choice
          name="Sort"
          label={state.sort.length ? sortWords(object, state.sort) : 'Sort'}
          icon={<ArrowUpDown size={14} />}
        >
          <SortChoice object={object} state={state} />
        </Choice>
      )}
      <Choice
        name={isTable ? 'Columns' : 'Fields'}
        label={isTable ? 'Columns' : 'Fields'}
        icon={<Columns3 size={14} />}
        padding={0}
      >
        <ColumnChoice object={object} state={state} />
      </Choice>
      {isTable && (
        <Tooltip label={other}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={other}
            onClick={() => state.change({ layout: isCompact ? 'comfortable' : 'compact' })}
          >
            {isCompact ? <Rows3 size={15} /> : <Rows4 size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
      {menu}
    </div>
  )
})

type ChoiceProps = { name: string; label: string; icon: ReactNode; padding?: number; children: ReactNode }

const Choice = ({ name, label, icon, padding, children }: ChoiceProps) => (
  <Popover position="bottom-end" width={380} shadow="md" trapFocus returnFocus withinPortal>
    <Popover.Target>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={icon}
        title={label}
        aria-label={label.startsWith(name) ? undefined : `${name}: ${label}`}
      >
        {label}
      </Button>
    </Popover.Target>
    <Popover.Dropdown aria-label={name} p={padding}>
      {children}
    </Popover.Dropdown>
  </Popover>
)

type MenuProps = Pick<Props, 'object' | 'onExport' | 'isSelecting'> & {
  /** On a phone, where nothing is selected without being asked for. */
  onSelecting: ((isSelecting: boolean) => void) | undefined
}

/** Import, export and duplicates, for those who may. */
function ListMenu({ object, onExport, isSelecting, onSelecting }: MenuProps) {
  const { may } = useSignedIn()
  const navigate = useNavigate()
  const button = useRef<HTMLButtonElement>(null)
  const canExport = may('records.export') && onExport !== undefined
  if (!object.rights.create && !canExport && !onSelecting && !isCompared(object)) return null
  const label = onSelecting ? 'More actions' : 'List actions'
  return (
    <Menu position="bottom-end" width={170}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size={onSelecting ? 36 : 26} aria-label={label}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {onSelecting && (
          <Menu.Item leftSection={<ListChecks size={14} />} onClick={() => onSelecting(!isSelecting)}>
            {isSelecting ? 'Stop selecting' : 'Select'}
          </Menu.Item>
        )}
        {object.rights.create && (
          <Menu.Item
            leftSection={<Upload size={14} />}
            onClick={() => void navigate({ to: '/import/$object', params: { object: object.key } })}
          >
            Import…
          </Menu.Item>
        )}
        {isCompared(object) && (
          <Menu.Item
            leftSection={<CopyCheck size={14} />}
            onClick={() => void navigate({ to: '/duplicates/$object', params: { object: object.key } })}
          >
            Find duplicates
          </Menu.Item>
        )}
        {canExport && (
          <Menu.Item
            leftSection={<Download size={14} />}
            onClick={() => {
              // The item goes away with the menu; the dialog that closes leads back to the button.
              button.current?.focus()
              onExport?.()
            }}
          >
            Export…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Up to 10,000 at once, then exactly. Asked for after the rows: they are what one waits for, and may say it themselves. */
export function useMatchCount(question: Question, { rows, isLoading, isOld, isWhole, isCurrent }: Rows) {
  const isThere = !isLoading && !isOld
  const isCounted = isThere && isWhole && isCurrent
  const enabled = isThere && !isCounted
  const { data: quick } = useQuery({ ...countQuery(question), enabled, placeholderData: keepPreviousData })
  const isMany = quick?.is_exact === false
  const { data: exact } = useQuery({
    ...countQuery(question, true),
    enabled: enabled && isMany,
    placeholderData: keepPreviousData,
  })
  if (isCounted) return { count: rows.length, isExact: true }
  if (isMany && exact) return { count: exact.count, isExact: true }
  return quick && { count: quick.count, isExact: quick.is_exact }
}
