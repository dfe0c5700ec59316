// The widgets that people define, as text: tables, lists of records, and words.

import { Link } from '@tanstack/react-router'
import { ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import { readGrouping } from '../../../contract/aggregates.ts'
import type { RecordShape } from '../../records/data/records-api.ts'
import { useSchema } from '../../records/data/schema.ts'
import { textOf } from '../../records/data/value-text.ts'
import { FieldValue } from '../../records/fields/field-value.tsx'
import { Message } from '../../ui/basics/states.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import { labelOf, nameOfGrouping, subtitleOf } from './chart-widget.tsx'
import { countOf, type Figure, type Widget, type WidgetAnswer } from './dashboard-api.ts'
import { cellIn, nameOfMeasure, textIn } from './measured.ts'
import { FigureLink, WidgetCard } from './widget-card.tsx'
import css from './widgets.module.css'

type Of<T extends Widget['type']> = Extract<Widget, { type: T }>
type Props<T extends Widget['type']> = { of: Of<T>; answer: WidgetAnswer; title: string; menu?: ReactNode }

const Empty = () => (
  <Message size="small" icon={ListFilter}>
    No records for this widget. Change its filter or time range.
  </Message>
)

export function TableWidget({ of: widget, answer, title, menu }: Props<'table'>) {
  const object = useSchema().find(({ key }) => key === widget.object)
  const { figures, total, currency } = answer
  const cells = (figure: Figure) =>
    widget.measures.map((measure) => (
      <td key={measure}>
        <FigureLink of={figure}>{textIn(figure, measure, object, currency)}</FigureLink>
      </td>
    ))
  const named = (figure: Figure) =>
    widget.group_by.map((group, place) => ({ text: labelOf(figure, place, readGrouping(group).period) }))
  const saved = [
    [
      ...widget.group_by.map((group) => nameOfGrouping(group, object)),
      ...widget.measures.map((measure) => nameOfMeasure(measure, object)),
    ].map((text) => ({ text })),
    ...figures.map((figure) => [
      ...named(figure),
      ...widget.measures.map((measure) => cellIn(figure, measure, object, currency)),
    ]),
  ]
  return (
    <WidgetCard
      title={title}
      subtitle={subtitleOf(answer, widget)}
      action={menu}
      cells={figures.length ? saved : undefined}
    >
      {figures.length ? (
        <table className={css.table}>
          <thead>
            <tr>
              {widget.group_by.map((group) => (
                <th key={group} scope="col" data-text>
                  {nameOfGrouping(group, object)}
                </th>
              ))}
              {widget.measures.map((measure) => (
                <th key={measure} scope="col">
                  {nameOfMeasure(measure, object)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figures.map((figure) => (
              <tr key={`${figure.is_other} ${figure.keys.join()}`}>
                {widget.group_by.map((group, place) => (
                  <th key={group} scope="row" data-text>
                    <bdi>{labelOf(figure, place, readGrouping(group).period)}</bdi>
                  </th>
                ))}
                {cells(figure)}
              </tr>
            ))}
          </tbody>
          {total && (
            <tfoot>
              <tr>
                <th scope="row" colSpan={widget.group_by.length}>
                  Total
                </th>
                {cells(total)}
              </tr>
            </tfoot>
          )}
        </table>
      ) : (
        <Empty />
      )}
    </WidgetCard>
  )
}

/** Beside the title, there is room for so many fields. */
const mostFields = 3

export function ListWidget({ of: widget, answer, title, menu }: Props<'list'>) {
  const object = useSchema().find(({ key }) => key === widget.object)
  const [figure] = answer.figures
  const records = (figure?.records ?? []) as RecordShape[]
  const shown = widget.fields.filter((key) => key !== 'title').slice(0, mostFields)
  const fields = shown.flatMap((key) => object?.byKey.get(key) ?? [])
  const saved = [
    [object?.label ?? 'Title', ...fields.map(({ label }) => label)].map((text) => ({ text })),
    ...records.map((record) => [
      { text: String(record.title) },
      ...fields.map((field) => ({ text: textOf(field, record[field.key]) })),
    ]),
  ]
  return (
    <WidgetCard
      title={title}
      count={figure && <FigureLink of={figure}>{asNumber(countOf(figure))}</FigureLink>}
      action={menu}
      cells={records.length ? saved : undefined}
    >
      {records.length ? (
        <ul className={css.list}>
          {records.map((record) => (
            <li key={record.id} className={css.row}>
              <Link
                to="/records/$object/$id"
                params={{ object: widget.object, id: record.id }}
                className={`${css.title} ${css.what}`}
              >
                <span dir="auto">{String(record.title)}</span>
              </Link>
              {fields.map((field) => (
                <span key={field.key} className={css.end}>
                  <FieldValue field={field} value={record[field.key]} />
                </span>
              ))}
            </li>
          ))}
        </ul>
      ) : (
        <Empty />
      )}
    </WidgetCard>
  )
}

export const TextWidget = ({ of: { text }, title, menu }: Props<'text'>) => (
  <WidgetCard title={title} action={menu}>
    <p className={css.text} dir="auto">
      {text}
    </p>
  </WidgetCard>
)
