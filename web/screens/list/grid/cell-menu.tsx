import { Menu } from '@mantine/core'
import { ArrowDownToLine, Copy, ExternalLink, Link2, ListFilter, PanelRight, Pencil, Trash2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { ConvertIcon } from '../../../leads/convert.tsx'
import { isConverted, isLeads } from '../../../records/data/leads.ts'
import { type RecordShape, useDeleteRecords } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { useScope } from '../../../records/filter/tree.ts'
import { type Shown, valueIn } from '../../../records/lists/use-columns.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import { modKey } from '../../../ui/basics/keyboard.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { copyText } from '../../../ui/text/code.tsx'
import { filteredByValue } from '../tools/filter-by-value.ts'
import css from './grid.module.css'
import type { Cells } from './use-cells.ts'

export type CellMenuAt = { x: number; y: number }

type Props = {
  at: CellMenuAt
  object: ObjectShape
  state: ListState
  record: RecordShape
  /** Nothing: in the column of the boxes. */
  column: Shown | undefined
  cells: Cells
  /** Nothing: it cannot be edited. */
  onEdit: (() => void) | undefined
  onClear: () => void
  onConvert: () => void
  /** Of several selected records; nothing: of this one. */
  onDelete: (() => void) | undefined
  onClose: () => void
}

/** What can be done with a cell, or with the cells that are selected: by the right button, or Shift F10. */
export function CellMenu({
  at,
  object,
  state,
  record,
  column,
  cells,
  onEdit,
  onClear,
  onConvert,
  onDelete,
  onClose,
}: Props) {
  const name = `${String(record.title)}${column ? `, ${column.field.label}` : ''}`
  const path = `/records/${object.key}/${record.id}`
  const scope = useScope(object.key)
  const { mayEdit, mayDelete } = useRights(object)
  const remove = useDeleteRecords(object.key, () => `${String(record.title)} moved to the trash.`)
  const value = column && valueIn(object, column.field, record)
  const filtered = column && filteredByValue(state.filter, scope, column.key, column.field, value)
  const copyLink = async () => {
    const link = location.origin + path
    say((await copyText(link)) ? 'Link copied.' : `Copy it manually: ${link}`)
  }
  const item = (label: string, icon: ReactNode, act: () => void, keys?: string) => (
    <Menu.Item leftSection={icon} rightSection={keys && <small>{keys}</small>} onClick={act}>
      {label}
    </Menu.Item>
  )
  return (
    <Menu
      opened
      onChange={(isOpen) => isOpen || onClose()}
      position="bottom-start"
      offset={2}
      width={230}
      returnFocus={false}
      // Without it the first item gets the focus. An empty focusable element is not allowed in a menu.
      withInitialFocusPlaceholder={false}
      clickOutsideEvents={['mousedown', 'touchstart']}
    >
      <Menu.Target>
        {/* Only a position: it is not a button that could be pressed. */}
        <span aria-hidden="true" className={css.menuPoint} style={{ left: at.x, top: at.y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={name}>
        {item('Open', <PanelRight size={14} />, () => state.open(record.id), `${modKey} Enter`)}
        <Menu.Item component="a" href={path} target="_blank" rel="noreferrer" leftSection={<ExternalLink size={14} />}>
          Open in a new tab
        </Menu.Item>
        {item('Copy link', <Link2 size={14} />, () => void copyLink())}
        {isLeads(object) &&
          !isConverted(object, record) &&
          mayEdit(record) &&
          item('Convert', <ConvertIcon size={14} />, onConvert)}
        {column && (
          <>
            <Menu.Divider />
            {item('Copy', <Copy size={14} />, cells.copy, `${modKey} C`)}
            {onEdit && !cells.isRange && item('Edit', <Pencil size={14} />, onEdit, 'F2')}
            {onEdit && item('Fill down', <ArrowDownToLine size={14} />, cells.fillDown, `${modKey} D`)}
            {onEdit && item('Clear', <X size={14} />, onClear, 'Del')}
            {filtered !== undefined &&
              item('Filter by this value', <ListFilter size={14} />, () => state.change({ filter: filtered }))}
          </>
        )}
        {mayDelete(record) && (
          <>
            <Menu.Divider />
            {item('Delete', <Trash2 size={14} />, onDelete ?? (() => remove.mutate([record.id])))}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
