import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ArrowRight, Clock, Ellipsis, ExternalLink, PanelRight } from 'lucide-react'
import { memo, useRef } from 'react'
import { isDeals, stayOf, usePipelines } from '../../../records/data/pipelines.ts'
import { type RecordShape, relatedIn, titledIn } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { asShortMoney, isEmpty, type Money, textOf } from '../../../records/data/value-text.ts'
import { FieldValue } from '../../../records/fields/field-value.tsx'
import { valueIn } from '../../../records/lists/use-columns.ts'
import { Initials } from '../../../ui/basics/avatar.tsx'
import { IconButton } from '../../../ui/basics/icon-button.tsx'
import { type Side, useReorder } from '../../../ui/form/reorder.tsx'
import { useFormats } from '../../../ui/text/formats.ts'
import { useUser } from '../../../users/users.ts'
import { isOverdue } from '../tools/task-tick.tsx'
import css from './board.module.css'
import type { BoardColumn } from './use-board.ts'

type Props = {
  object: ObjectShape
  fields: FieldShape[]
  record: RecordShape
  column: BoardColumn
  columns: BoardColumn[]
  isFixed: boolean
  isSorted: boolean
  isOpen: boolean
  isTabStop: boolean
  onOpen: () => void
  onFocus: () => void
  onMove: (to: BoardColumn) => void
  onDrop: (id: string, side: Side) => void
}

export const Card = memo(function Card(props: Props) {
  const { object, fields, record, column, columns, isFixed, isOpen, isTabStop, onOpen, onFocus, onMove } = props
  useFormats()
  const box = useRef<HTMLElement>(null)
  const isLocked = !useRights(object).mayEdit(record)
  const { className, ...place } = useReorder(box, {
    kind: 'card',
    key: record.id,
    isLocked,
    onDrop: props.onDrop,
  })
  const title = String(valueIn(object, object.byKey.get('title')!, record) ?? '')
  const filled = fields.filter(({ key }) => !isEmpty(valueIn(object, object.byKey.get(key)!, record)))
  const tabIndex = isTabStop ? 0 : -1
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the board takes the keys of all cards
    <article
      ref={box}
      className={`${css.card} ${className}`}
      {...place}
      data-card={record.id}
      data-open={isOpen || undefined}
      data-locked={isLocked || undefined}
      aria-label={title}
      aria-description={isLocked || isFixed ? undefined : 'Shift and the arrow keys move it'}
      tabIndex={tabIndex}
      onFocus={onFocus}
      onClick={onOpen}
    >
      <div className={css.cardHead}>
        <Link
          to="/records/$object/$id"
          params={{ object: object.key, id: record.id }}
          className={css.cardTitle}
          tabIndex={-1}
          draggable={false}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return event.stopPropagation()
            event.preventDefault()
          }}
        >
          <bdi>{title}</bdi>
        </Link>
        <CardMenu
          object={object}
          record={record}
          column={column}
          columns={isLocked || isFixed ? [] : columns}
          tabIndex={tabIndex}
          onOpen={onOpen}
          onMove={onMove}
        />
      </div>
      <Stay object={object} record={record} />
      {filled.length > 0 && (
        <dl className={css.facts}>
          {filled.map((field) => (
            <div key={field.key} data-type={field.type}>
              <dt>{field.label}</dt>
              <dd data-overdue={isOverdue(object, field.key, record) || undefined} title={field.label}>
                <Fact field={field} value={valueIn(object, field, record)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  )
})

/** Says how long a deal has been in its stage once that is too long. */
function Stay({ object, record }: { object: ObjectShape; record: RecordShape }) {
  const pipelines = usePipelines()
  const stay = isDeals(object) ? stayOf(object, pipelines, record) : undefined
  if (!stay?.isStuck) return null
  return (
    <p className={css.stuck}>
      <Clock size={12} /> {stay.days} days in this stage
    </p>
  )
}

/** Without links: a click anywhere opens the record. */
function Fact({ field, value }: { field: FieldShape; value: unknown }) {
  if (field.type === 'relation') {
    const titles = relatedIn(value).map((related) => titledIn(related, field)?.title)
    return <bdi>{titles.filter(Boolean).join(', ')}</bdi>
  }
  if (field.type === 'money') return <>{asShortMoney(value as Money)}</>
  if (field.type === 'user') return <Face id={String(value)} />
  if (field.type === 'email' || field.type === 'phone' || field.type === 'url') return <bdi>{textOf(field, value)}</bdi>
  return <FieldValue field={field} value={value} tabIndex={-1} />
}

function Face({ id }: { id: string }) {
  const user = useUser(id)
  if (!user) return null
  return (
    <span role="img" aria-label={user.name} title={user.name}>
      <Initials name={user.name} pictureId={user.picture_id} size={20} />
    </span>
  )
}

type MenuProps = Pick<Props, 'object' | 'record' | 'column' | 'columns' | 'onOpen' | 'onMove'> & { tabIndex: number }

/** What dragging does, for those who do not drag. */
function CardMenu({ object, record, column, columns, tabIndex, onOpen, onMove }: MenuProps) {
  const others = columns.filter(({ key }) => key !== column.key)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: clicks in the menu do not open the record
    // biome-ignore lint/a11y/useKeyWithClickEvents: only clicks pass through
    <span className={css.cardMenu} onClick={(event) => event.stopPropagation()}>
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <IconButton icon={Ellipsis} label={`Actions for ${String(record.title)}`} size={24} tabIndex={tabIndex} />
        </Menu.Target>
        <Menu.Dropdown aria-label={`Actions for ${String(record.title)}`}>
          <Menu.Item leftSection={<PanelRight size={14} />} onClick={onOpen}>
            Open
          </Menu.Item>
          <Menu.Item
            component="a"
            href={`/records/${object.key}/${record.id}`}
            target="_blank"
            rel="noreferrer"
            leftSection={<ExternalLink size={14} />}
          >
            Open in a new tab
          </Menu.Item>
          {others.length > 0 && (
            <>
              <Menu.Divider />
              <Menu.Label>Move to</Menu.Label>
              <div className={css.moves}>
                {others.map((one) => (
                  <Menu.Item
                    key={one.key}
                    leftSection={
                      one.color ? <span className={css.dot} data-color={one.color} /> : <ArrowRight size={14} />
                    }
                    onClick={() => onMove(one)}
                  >
                    {one.label}
                  </Menu.Item>
                ))}
              </div>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </span>
  )
}
