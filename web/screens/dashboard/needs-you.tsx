import { Link } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { builtInField } from '../../records/data/built-in.ts'
import type { RecordShape } from '../../records/data/records-api.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { asDate, asShortMoney, type Money } from '../../records/data/value-text.ts'
import { Message } from '../../ui/basics/states.tsx'
import { asAgo } from '../../ui/text/moments.ts'
import { asNumber } from '../../ui/text/numbers.ts'
import { countOf, type Figure, type WidgetAnswer } from './dashboard-api.ts'
import { FigureLink, WidgetCard } from './widget-card.tsx'
import css from './widgets.module.css'

type Read = (record: RecordShape, key: (name: string) => string) => string | undefined

const text = (value: unknown) => (typeof value === 'string' && value ? value : undefined)
const ago = (value: unknown) => (text(value) ? asAgo(value as string) : undefined)

/** What is listed, and what of a record says why. */
const lists: Record<string, { name: string; why: Read }> = {
  past_close: {
    name: 'Past their close date',
    why: (deal, key) => {
      const day = text(deal[key('expected_close')])
      return day && `Expected ${asDate(day)}`
    },
  },
  no_next_task: {
    name: 'No next step',
    why: (deal, key) => {
      const day = text(deal[key('expected_close')])
      return day ? `Closes ${asDate(day)}` : 'No close date'
    },
  },
  quiet: {
    name: 'No activity for 14 days',
    why: (deal) => {
      const last = ago(deal.last_activity_at)
      return last ? `Last activity ${last}` : 'No activity yet'
    },
  },
  new_leads: {
    name: 'New leads without a reply',
    why: (lead, key) =>
      [text(lead[key('company_name')]), ago(lead.created_at)].filter((part) => part !== undefined).join(' · '),
  },
}

/** Deals and leads that wait for the user. */
export function NeedsYou({ title, of: { figures } }: { title: string; of: WidgetAnswer }) {
  const waiting = figures.filter((figure) => countOf(figure) > 0)
  return (
    <WidgetCard title={title}>
      {waiting.length ? (
        waiting.map((figure) => <Waiting key={figure.key} of={figure} />)
      ) : (
        <Message size="small" icon={Sparkles}>
          Nothing needs your attention. Overdue or inactive deals, deals without a next step, and new leads appear here.
        </Message>
      )}
    </WidgetCard>
  )
}

function Waiting({ of: figure }: { of: Figure }) {
  const object = useSchema().find(({ key }) => key === figure.object)
  const { name, why } = lists[figure.key ?? ''] ?? { name: figure.key ?? '', why: () => undefined }
  const count = countOf(figure)
  const shown = (figure.records as RecordShape[]).slice(0, 3)
  return (
    <section className={css.group} aria-label={name}>
      <h3 className={css.groupName}>
        <FigureLink of={figure}>
          {name} <span className={css.count}>{asNumber(count)}</span>
        </FigureLink>
      </h3>
      <ul className={css.list}>
        {shown.map((record) => object && <Row key={record.id} object={object} record={record} why={why} />)}
      </ul>
      {count > shown.length && (
        <FigureLink of={figure} className={css.rest} label={`Show all ${asNumber(count)}: ${name}`}>
          Show all {asNumber(count)}
        </FigureLink>
      )}
    </section>
  )
}

function Row({ object, record, why }: { object: ObjectShape; record: RecordShape; why: Read }) {
  const keyOf = (name: string) => builtInField(object, name)?.key ?? name
  const amount = record[keyOf('amount')] as Money | null | undefined
  return (
    <li className={css.row}>
      <div className={css.what}>
        <Link to="/records/$object/$id" params={{ object: object.key, id: record.id }} className={css.title}>
          <span dir="auto">{String(record.title)}</span>
        </Link>
        <span className={css.note}>{why(record, keyOf)}</span>
      </div>
      {amount && <span className={css.end}>{asShortMoney(amount)}</span>}
    </li>
  )
}
